// Long because each transition of the machine has a test.

import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Event by event, with pages and edits that are plain values.
@Suite("The write-behind machine")
struct WriteBehindMachineTests {
    typealias Machine = WriteBehindMachine<String, Int, Int>

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 1) }

    /// The actions as text, one each.
    private func text(_ done: (actions: [Machine.Action], pause: Duration?)) -> [String] {
        done.actions.map { action in
            switch action {
            case .recover: "recover"
            case .read(let token, let identity): "read \(token) \(identity.key)"
            case .prepare(let batch): "prepare " + text(batch)
            case .commit(let batch): "commit " + text(batch)
            case .answer(let waiter, .absent): "answer \(waiter) absent"
            case .answer(let waiter, .failed(let error)): "answer \(waiter) failed \(error.storeKind)"
            case .answer(let waiter, .page(let page, let edits, let isInvalidated)):
                "answer \(waiter) \(text(page, edits))\(isInvalidated ? " stale" : "")"
            case .accept(let waiter, let error): "accept \(waiter)\(error == nil ? "" : " lost")"
            case .flushed(let waiter, let error): "flushed \(waiter)\(error.map { " failed \($0.storeKind)" } ?? "")"
            case .report(let error): "report \(error.storeKind)"
            }
        } + (done.pause.map { ["arm \($0.wholeNanoseconds / 1_000_000)"] } ?? [])
    }

    /// A page is the texts of its items, an edit adds one.
    private func text(_ page: StoredPage<String>, _ edits: [PageEdit<String>] = []) -> String {
        edits.reduce(page.page) { $1($0) ?? $0 }.content.joined(separator: "+")
    }

    private func text(_ batch: Machine.Batch) -> String {
        let changes = batch.changes.map { change in
            switch change {
            case .save(let identity, let page): "\(identity.key)=\(text(page))"
            case .remove(let selection): "-\(text(selection))"
            case .invalidate(let selection): "~\(text(selection))"
            case .invalidateTags(let tags): "~#\(tags.joined(separator: "#"))"
            case .edit(let selection, let edit): "\(text(selection))+\(text(page(), [edit]))"
            }
        }
        let uses = batch.uses.map { "\($0.identity.key)*\($0.times)" }
        return (changes + uses).joined(separator: " ") + (batch.isDurable ? "!" : "")
    }

    private func text(_ selection: PageSelection) -> String {
        switch selection {
        case .identity(let identity): identity.key
        case .key(let key): "key:\(key)"
        case .scope(let scope): "scope:\(scope)"
        case .all: "all"
        }
    }

    private func failure(_ kind: StoreFailure.Kind) -> PaginatorError {
        PaginatorError(store: StoreFailure(kind, operation: "test", message: "test"), "test")
    }

    /// A machine that knows what its file holds.
    private func ready(_ change: (inout WriteBehindConfig) -> Void = { _ in }) -> DrivenWriteBehind {
        var config = WriteBehindConfig()
        change(&config)
        var machine = DrivenWriteBehind(config)
        _ = machine.start()
        _ = machine.timerFired()
        _ = machine.recovered(nil, hasWork: false)
        // What an earlier process left is on disk for good.
        _ = machine.flush(for: 0)
        _ = machine.commitFinished(nil)
        return machine
    }

    private func page(_ texts: String..., bytes: Int = 1) -> StoredPage<String> {
        StoredPage(
            page: PaginatorPage(content: texts, key: "", byteCount: bytes), fetchedAt: Date(timeIntervalSince1970: 0))
    }

    private func save(_ key: String, _ text: String, cost: Int = 1) -> StoreChange<String> {
        .save(id(key), page(text, bytes: cost))
    }

    private func edit(_ selection: PageSelection, _ text: String) -> StoreChange<String> {
        .edit(selection, PageEdit { PaginatorPage(content: $0.content + [text], key: $0.key) })
    }

    @Test
    func `A save is seen at once, lingers, and is committed with what came meanwhile`() {
        var machine = ready()
        #expect(text(machine.apply([save("a", "A")], for: 1)) == ["accept 1", "arm 50"])
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 A"])
        #expect(text(machine.apply([save("b", "B")], for: 3)) == ["accept 3"])
        #expect(text(machine.timerFired()) == ["commit a=A b=B a*1"])
        #expect(text(machine.load(id("a"), for: 4)) == ["answer 4 A"])
        #expect(text(machine.commitFinished(nil)) == [])
        #expect(text(machine.load(id("a"), for: 5)) == ["read 1 a"])
        #expect(machine.pendingChanges == 0)
    }

    @Test
    func `A like is not counted twice on a page that was saved, with it, while its load waited to be read`() {
        var machine = ready { $0.maxParallelReads = 1 }
        _ = machine.load(id("other"), for: 1)
        // Whoever loads applies the edits made from here on himself.
        #expect(text(machine.load(id("a"), for: 2)) == [])
        _ = machine.apply([edit(.all, "like"), save("a", "A+like")], for: 3)
        #expect(text(machine.readFinished(1, .absent)) == ["answer 1 absent", "answer 2 absent"])
    }

    @Test
    func `A like is not counted twice on a page that was saved with it while a commit of edits kept its load waiting`()
    {
        var machine = ready()
        _ = machine.apply([edit(.identity(id("a")), "x")], for: 1)
        _ = machine.timerFired()
        _ = machine.prepared(nil)
        #expect(text(machine.load(id("a"), for: 2)) == [])
        _ = machine.apply([edit(.all, "like"), save("a", "A+like")], for: 3)
        #expect(text(machine.commitFinished(nil)) == ["answer 2 absent"])
    }

    @Test
    func `A page that was saved while its load waited to be read is shown, where no edit lies between`() {
        var machine = ready { $0.maxParallelReads = 1 }
        _ = machine.load(id("other"), for: 1)
        _ = machine.load(id("a"), for: 2)
        _ = machine.apply([save("a", "A"), edit(.all, "like")], for: 3)
        #expect(text(machine.readFinished(1, .absent)) == ["answer 1 absent", "answer 2 A"])
    }

    @Test
    func `Pages that claim to be larger than any memory are stored, and nothing overflows`() {
        var machine = ready()
        let changes = [save("a", "A", cost: 600), save("b", "B", cost: .max), save("c", "C", cost: .max)]
        _ = machine.apply(changes, for: 1)
        #expect(text(machine.load(id("b"), for: 2)) == ["answer 2 B"])
        #expect(machine.pendingChanges == 3)
    }

    @Test
    func `What the file holds is learned soon after the first call; loads do not wait for it, commits do`() {
        var machine = DrivenWriteBehind(WriteBehindConfig())
        #expect(text(machine.load(id("a"), for: 1)) == ["read 1 a", "arm 50"])
        #expect(text(machine.timerFired()) == ["recover"])
        #expect(text(machine.apply([save("b", "B")], for: 2)) == ["accept 2", "arm 50"])
        #expect(text(machine.flush(for: 3)) == [])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["commit b=B!"])
    }

    @Test
    func `A file that the first reads find damaged is reported once, and learned at once`() {
        var machine = DrivenWriteBehind(WriteBehindConfig())
        _ = machine.load(id("a"), for: 1)
        #expect(text(machine.fileWasReplaced(failure(.replaced))) == ["report replaced", "recover"])
        #expect(text(machine.fileWasReplaced(failure(.replaced))) == [])
    }

    @Test
    func `A flush commits at once and durably, also when all is committed but not durable`() {
        var machine = ready()
        #expect(text(machine.flush(for: 1)) == ["flushed 1"])
        _ = machine.apply([save("a", "A")], for: 2)
        #expect(text(machine.timerFired()) == ["commit a=A"])
        #expect(text(machine.flush(for: 3)) == [])
        #expect(text(machine.commitFinished(nil)) == ["commit !"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 3"])
        #expect(text(machine.flush(for: 4)) == ["flushed 4"])
    }

    @Test
    func `The first flush commits durably, because an earlier process may not have`() {
        var machine = DrivenWriteBehind(WriteBehindConfig())
        #expect(text(machine.flush(for: 1)) == ["recover"])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["commit !"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 1"])
        #expect(text(machine.flush(for: 2)) == ["flushed 2"])
    }

    @Test
    func `A flush waits for a commit that holds nothing but uses`() {
        var machine = DrivenWriteBehind(WriteBehindConfig())
        _ = machine.flush(for: 0)
        #expect(text(machine.recovered(nil, hasWork: true)) == ["commit !", "arm 50"])
        _ = machine.commitFinished(nil)
        _ = machine.load(id("a"), for: 1)
        _ = machine.readFinished(1, .page(page("A")))
        #expect(text(machine.timerFired()) == ["commit a*1"])
        #expect(text(machine.flush(for: 2)) == [])
        #expect(text(machine.commitFinished(nil)) == ["commit !"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 2"])
    }

    @Test
    func `A flush of more than one batch is answered after the last`() {
        var machine = ready { $0.maxBatchChanges = 2 }
        _ = machine.apply([save("a", "A")], for: 1)
        #expect(text(machine.apply([save("b", "B"), save("c", "C")], for: 2)).contains("commit a=A b=B"))
        #expect(text(machine.flush(for: 3)) == [])
        #expect(text(machine.commitFinished(nil)) == ["commit c=C!"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 3"])
    }

    @Test
    func `Saves that later changes of the batch make void are not written`() {
        var machine = ready()
        _ = machine.apply([save("a", "A"), save("b", "B"), save("a", "A2"), .remove(.identity(id("b")))], for: 1)
        #expect(text(machine.flush(for: 2)) == ["commit a=A2 -b!"])
        _ = machine.apply([save("c", "C"), .remove(.all), save("d", "D")], for: 3)
        _ = machine.commitFinished(nil)
        #expect(text(machine.flush(for: 4)) == ["commit -all d=D!"])
    }

    @Test
    func `What is pending lies over what a read finds`() {
        var machine = ready()
        _ = machine.apply([.invalidate(.all), edit(.key("a"), "x"), edit(.identity(id("b")), "y")], for: 1)
        #expect(text(machine.load(id("a"), for: 2)) == ["read 1 a"])
        #expect(text(machine.load(id("b"), for: 3)) == ["read 2 b"])
        #expect(text(machine.readFinished(1, .page(page("A")))) == ["answer 2 A+x stale"])
        #expect(text(machine.readFinished(2, .page(page("B")))) == ["answer 3 B+y stale"])
        _ = machine.apply([.remove(.scope(""))], for: 4)
        #expect(text(machine.load(id("a"), for: 5)) == ["answer 5 absent"])
    }

    @Test
    func `An edit reaches the pending page, and waits for it while it is committed`() {
        var machine = ready()
        _ = machine.apply([save("a", "A"), edit(.key("a"), "x")], for: 1)
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 A+x"])
        #expect(text(machine.timerFired()) == ["prepare a=A key:a+x a*1"])
        #expect(text(machine.prepared(nil)) == ["commit a=A key:a+x a*1"])
        _ = machine.apply([edit(.identity(id("a")), "y")], for: 3)
        #expect(text(machine.load(id("a"), for: 4)) == ["answer 4 A+x+y"])
        _ = machine.commitFinished(nil)
        // The file holds A+x now, and y is still to come.
        #expect(text(machine.load(id("a"), for: 5)) == ["read 1 a"])
        #expect(text(machine.readFinished(1, .page(page("Ax")))) == ["answer 5 Ax+y"])
    }

    @Test
    func `A page is not read while an edit of it is committed, nor an edit committed while its page is read`() {
        var machine = ready()
        #expect(text(machine.load(id("a"), for: 1)) == ["read 1 a"])
        _ = machine.apply([edit(.key("a"), "x")], for: 2)
        #expect(text(machine.timerFired()) == ["prepare key:a+x"])
        // While the edit goes through the pages, they are read as they are, and the edit is added.
        #expect(text(machine.load(id("b"), for: 3)) == ["read 2 b"])
        #expect(text(machine.load(id("a"), for: 4)) == ["read 3 a"])
        #expect(text(machine.prepared(nil)) == [])
        // Now a load of the same page waits, or the commit might never begin.
        #expect(text(machine.load(id("a"), for: 5)) == [])
        // The load came before the edit, so it does not show it.
        #expect(text(machine.readFinished(1, .page(page("A")))) == ["answer 1 A"])
        #expect(text(machine.readFinished(3, .page(page("A")))) == ["answer 4 A+x", "commit key:a+x"])
        _ = machine.apply([edit(.key("a"), "late")], for: 6)
        #expect(text(machine.commitFinished(nil)).contains("read 4 a"))
        #expect(text(machine.readFinished(4, .page(page("Ax")))) == ["answer 5 Ax"])
    }

    @Test func `Pages that an edit does not change are read while it is committed`() {
        var machine = ready()
        _ = machine.apply([edit(.all, "x")], for: 1)
        #expect(text(machine.timerFired()) == ["prepare all+x"])
        #expect(text(machine.prepared(nil, edited: [id("a")])) == ["commit all+x"])
        #expect(text(machine.load(id("a"), for: 2)) == [])
        #expect(text(machine.load(id("b"), for: 3)) == ["read 1 b"])
        #expect(text(machine.readFinished(1, .page(page("B")))) == ["answer 3 B+x"])
        #expect(text(machine.commitFinished(nil)) == ["read 2 a"])
        #expect(text(machine.readFinished(2, .page(page("Ax")))) == ["answer 2 Ax"])
    }

    @Test func `An edit waits for older reads whichever pages it changes, and not for newer ones of others`() {
        var machine = ready()
        #expect(text(machine.load(id("b"), for: 1)) == ["read 1 b"])
        _ = machine.apply([edit(.all, "x")], for: 2)
        #expect(text(machine.load(id("c"), for: 3)) == ["read 2 c"])
        #expect(text(machine.timerFired()) == ["prepare all+x"])
        #expect(text(machine.prepared(nil, edited: [])) == [])
        // Saved behind the edit, it may contain it: the first load is not to get this one.
        _ = machine.apply([save("b", "Bx")], for: 4)
        #expect(text(machine.readFinished(1, .page(page("B")))) == ["answer 1 B", "commit all+x"])
        #expect(text(machine.readFinished(2, .page(page("C")))) == ["answer 3 C+x"])
    }

    @Test func `A preparation that fails is a commit that fails, and who waits to read is not kept waiting`() {
        var machine = ready()
        _ = machine.apply([edit(.key("a"), "x")], for: 1)
        #expect(text(machine.timerFired()) == ["prepare key:a+x"])
        #expect(text(machine.prepared(failure(.full))) == ["report full", "arm 1000"])
        #expect(text(machine.load(id("a"), for: 2)) == ["read 1 a"])
        #expect(text(machine.readFinished(1, .page(page("A")))) == ["answer 2 A+x"])
        #expect(text(machine.timerFired()) == ["prepare key:a+x a*1"])
        #expect(text(machine.prepared(nil)) == ["commit key:a+x a*1"])
        #expect(text(machine.commitFinished(nil)) == [])
        #expect(machine.pendingChanges == 0)
    }

    @Test func `A load that waits for a commit of edits is read when that fails`() {
        var machine = ready()
        _ = machine.apply([edit(.identity(id("a")), "x")], for: 1)
        _ = machine.timerFired()
        _ = machine.prepared(nil)
        #expect(text(machine.load(id("a"), for: 2)) == [])
        #expect(text(machine.commitFinished(failure(.full))) == ["report full", "read 1 a", "arm 1000"])
        #expect(text(machine.readFinished(1, .page(page("A")))) == ["answer 2 A+x"])
    }

    @Test func `An edit that was prepared for an earlier file is prepared anew`() {
        var machine = ready()
        #expect(text(machine.load(id("b"), for: 1)) == ["read 1 b"])
        _ = machine.apply([edit(.all, "x")], for: 2)
        #expect(text(machine.timerFired()) == ["prepare all+x"])
        #expect(text(machine.prepared(nil)) == [])
        #expect(text(machine.fileWasReplaced(failure(.replaced))) == ["report replaced", "recover"])
        #expect(text(machine.readFinished(1, .absent)) == ["answer 1 absent"])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["prepare all+x"])
        #expect(text(machine.prepared(nil)) == ["commit all+x"])
    }

    @Test
    func `A load that waited for an edit of an earlier file is read as soon as the new one is known`() {
        var machine = ready()
        #expect(text(machine.load(id("b"), for: 1)) == ["read 1 b"])
        _ = machine.apply([edit(.all, "x")], for: 2)
        _ = machine.timerFired()
        _ = machine.prepared(nil)
        #expect(text(machine.load(id("a"), for: 3)) == [])
        _ = machine.fileWasReplaced(failure(.replaced))
        _ = machine.readFinished(1, .absent)
        #expect(text(machine.recovered(nil, hasWork: false)) == ["read 2 a", "prepare all+x"])
        #expect(text(machine.prepared(nil)) == [])
        #expect(text(machine.readFinished(2, .page(page("A")))) == ["answer 3 A+x", "commit all+x"])
    }

    @Test
    func `When the new file cannot be learned, the batch that waited for it waits on, and loads are read`() {
        var machine = ready()
        #expect(text(machine.load(id("b"), for: 1)) == ["read 1 b"])
        _ = machine.apply([edit(.all, "x")], for: 2)
        _ = machine.timerFired()
        _ = machine.prepared(nil)
        #expect(text(machine.load(id("a"), for: 3)) == [])
        _ = machine.fileWasReplaced(failure(.replaced))
        _ = machine.readFinished(1, .absent)
        #expect(
            text(machine.recovered(failure(.full), hasWork: false)) == ["report full", "read 2 a", "arm 1000"])
        #expect(text(machine.readFinished(2, .page(page("A")))) == ["answer 3 A+x"])
        #expect(machine.pendingChanges == 1)
        #expect(text(machine.timerFired()) == ["recover"])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["prepare all+x a*1"])
        #expect(text(machine.prepared(nil)) == ["commit all+x a*1"])
        #expect(text(machine.commitFinished(nil)) == [])
        #expect(machine.pendingChanges == 0)
    }

    @Test
    func `An edit of a page that is made while an earlier one is committed is shown after that commit`() {
        var machine = ready()
        _ = machine.apply([edit(.identity(id("a")), "x")], for: 1)
        #expect(text(machine.timerFired()) == ["prepare a+x"])
        #expect(text(machine.prepared(nil)) == ["commit a+x"])
        _ = machine.apply([edit(.identity(id("a")), "y")], for: 2)
        _ = machine.commitFinished(nil)
        #expect(text(machine.load(id("a"), for: 3)) == ["read 1 a"])
        #expect(text(machine.readFinished(1, .page(page("Ax")))) == ["answer 3 Ax+y"])
    }

    @Test
    func `Changes that do not fit into the batch after a pause follow at once, and do not wait anew`() {
        var machine = ready { $0.maxBatchChanges = 2 }
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        _ = machine.apply([save("b", "B"), save("c", "C")], for: 2)
        #expect(text(machine.timerFired()) == ["commit a=A b=B"])
        #expect(text(machine.commitFinished(nil)) == ["commit c=C"])
        #expect(text(machine.commitFinished(nil)) == [])
        #expect(machine.pendingChanges == 0)
    }

    @Test
    func `A commit begins at once when as many bytes wait as it may have`() {
        var machine = ready { $0.maxBatchBytes = 1_200 }
        #expect(text(machine.apply([save("a", "A", cost: 600)], for: 1)) == ["accept 1", "arm 50"])
        #expect(text(machine.apply([save("b", "B", cost: 600)], for: 2)) == ["accept 2", "commit a=A b=B"])
    }

    @Test(arguments: [-5, 0, Int.max])
    func `Any bounds may be configured`(_ bound: Int) {
        var machine = ready {
            $0.maxPendingBytes = bound
            $0.maxPendingChanges = bound
            $0.maxBatchBytes = bound
            $0.maxBatchChanges = bound
        }
        let isLow = bound < .max
        #expect(text(machine.apply([save("a", "A")], for: 1)) == (isLow ? ["commit a=A"] : ["accept 1", "arm 50"]))
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 A"])
        if !isLow { #expect(text(machine.timerFired()) == ["commit a=A a*1"]) }
        #expect(text(machine.commitFinished(nil)).contains("accept 1") == isLow)
    }

    @Test
    func `Accepting is withheld while too much waits`() {
        var machine = ready { $0.maxPendingBytes = 1_000 }
        #expect(text(machine.apply([save("a", "A", cost: 600)], for: 1)) == ["accept 1", "arm 50"])
        #expect(text(machine.apply([save("b", "B", cost: 600)], for: 2)) == ["commit a=A b=B"])
        #expect(text(machine.apply([save("c", "C", cost: 1)], for: 3)) == [])
        #expect(text(machine.commitFinished(nil)) == ["accept 2", "accept 3", "commit c=C"])
        // Who does not wait loses pages, and is told; the old page must not come back in their place.
        _ = machine.flush(for: 4)
        for index in 0..<10 { _ = machine.apply([save("x\(index)", "X", cost: 600)], for: 10 + index) }
        #expect(text(machine.load(id("x9"), for: 5)) == ["answer 5 absent"])
        #expect(text(machine.load(id("x0"), for: 6)) == ["answer 6 X"])
        _ = machine.commitFinished(nil)
        #expect(text(machine.commitFinished(nil)).contains("accept 19 lost"))
    }

    @Test func `Reads start no commit while the file fails, and their uses stay bounded`() {
        var machine = ready()
        func read(_ number: Int) -> [String] {
            let key = "\(number)"
            var done = text(machine.load(id(key), for: number))
            guard let token = done.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                return done
            }
            done += text(machine.readFinished(token, .page(page("x"))))
            return done
        }
        _ = machine.apply([save("new", "A")], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        let commits = (10..<20_010).flatMap(read).filter { $0.hasPrefix("commit") || $0.hasPrefix("prepare") }
        #expect(commits == [])
        // At the end of the pause it is tried again, with the latest uses.
        let again = text(machine.timerFired()).first ?? ""
        #expect(again.hasPrefix("prepare") || again.hasPrefix("commit"))
        #expect(again.contains(" 20009*1"))
        #expect(again.split(separator: "*").count <= 8_200)
    }

    @Test func `The uses of many pages are written before they are too many, and the later ones with the next batch`() {
        var machine = ready()
        func read(_ number: Int) -> [String] {
            _ = machine.load(id("\(number)"), for: number)
            return text(machine.readFinished(number, .page(page("x"))))
        }
        var commit: String?
        var count = 0
        while commit == nil, count < 10_000 {
            count += 1
            commit = read(count).first { $0.hasPrefix("commit ") }
        }
        #expect((100..<10_000).contains(count))
        #expect(commit?.hasPrefix("commit 1*1 2*1 ") == true && commit?.hasSuffix(" \(count)*1") == true)
        for number in count + 1...3 * count { #expect(read(number) == ["answer \(number) x"]) }
        let next = text(machine.commitFinished(nil)).first ?? ""
        #expect(next.hasPrefix("commit \(count + 1)*1 ") && next.hasSuffix(" \(3 * count)*1"))
    }

    @Test
    func `A failed commit is reported once per cause, kept, and tried again after growing pauses`() {
        var machine = ready()
        _ = machine.apply([save("a", "A")], for: 1)
        #expect(text(machine.timerFired()) == ["commit a=A"])
        #expect(text(machine.commitFinished(failure(.full))) == ["report full", "arm 1000"])
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 A"])
        #expect(text(machine.timerFired()) == ["commit a=A a*1"])
        #expect(text(machine.commitFinished(failure(.full))) == ["arm 2000"])
        // More changes do not hurry it, a flush does.
        #expect(text(machine.apply([save("b", "B")], for: 3)) == ["accept 3"])
        #expect(text(machine.flush(for: 4)) == ["commit a=A b=B a*1!"])
        #expect(
            text(machine.commitFinished(failure(.inputOutput))) == [
                "report inputOutput", "flushed 4 failed inputOutput", "arm 4000",
            ])
        #expect(text(machine.timerFired()) == ["commit a=A b=B a*1"])
        #expect(text(machine.commitFinished(nil)) == [])
        // After a success the cause is news again.
        _ = machine.apply([save("c", "C")], for: 5)
        _ = machine.timerFired()
        #expect(text(machine.commitFinished(failure(.full))) == ["report full", "arm 1000"])
    }

    @Test
    func `A store that keeps failing drops the oldest saves, which become removals`() {
        var machine = ready {
            $0.maxPendingBytes = 1_500
            $0.retryPause = .seconds(1)
        }
        _ = machine.apply([save("a", "A", cost: 600)], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        #expect(text(machine.apply([save("b", "B", cost: 600)], for: 2)) == ["accept 2"])
        // What was accepted and is lost is reported; whoever asks now has lost nothing.
        let done = text(machine.apply([save("c", "C", cost: 600)], for: 3))
        #expect(done.map { $0.split(separator: " ")[0] } == ["accept", "report"] && done[0] == "accept 3")
        #expect(text(machine.load(id("a"), for: 4)) == ["answer 4 absent"])
        #expect(text(machine.load(id("c"), for: 5)) == ["answer 5 C"])
        #expect(text(machine.flush(for: 6)) == ["commit -a b=B c=C c*1!"])
    }

    @Test
    func `A failing store tells that pages are lost only where some are, and nobody else than their own caller`() {
        var machine = ready { $0.maxPendingBytes = 1_500 }
        _ = machine.apply([.remove(.key("a"))], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        let saves = ["b", "c", "d"].map { save($0, $0, cost: 600) }
        #expect(text(machine.apply(saves, for: 2)) == ["accept 2 lost"])
        #expect(text(machine.load(id("b"), for: 3)) == ["answer 3 absent"])
        #expect(text(machine.load(id("d"), for: 4)) == ["answer 4 d"])
        // Removals are kept, however many wait.
        var other = ready { $0.maxPendingChanges = 1 }
        #expect(text(other.apply([.remove(.key("a"))], for: 1)) == ["commit -key:a"])
        #expect(text(other.commitFinished(failure(.full))) == ["report full", "accept 1", "arm 1000"])
    }

    @Test
    func `When a commit fails and more waits than a failing store keeps, everything is removed instead`() {
        var machine = ready { $0.maxPendingChanges = 1 }
        _ = machine.apply((0..<8_300).map { .remove(.key("\($0)")) }, for: 1)
        #expect(text(machine.apply((8_300..<16_600).map { .remove(.key("\($0)")) }, for: 2)) == [])
        #expect(machine.pendingChanges == 16_600)
        #expect(
            text(machine.commitFinished(failure(.full))) == [
                "report full", "accept 1 lost", "accept 2 lost", "arm 1000",
            ])
        #expect(machine.pendingChanges == 1)
        #expect(text(machine.timerFired()) == ["commit -all"])
    }

    @Test
    func `A failing store keeps as many changes as its limit says, and with one more removes everything`() {
        var machine = ready { ($0.maxPendingChanges, $0.leastChangeLimit) = (1, 16) }
        _ = machine.apply([.remove(.key("0"))], for: 0)
        _ = machine.commitFinished(failure(.full))
        for number in 1..<16 {
            #expect(text(machine.apply([.remove(.key("\(number)"))], for: number)) == ["accept \(number)"])
            #expect(machine.pendingChanges == number + 1)
        }
        #expect(text(machine.apply([.remove(.key("16"))], for: 16)) == ["accept 16 lost"])
        #expect(machine.pendingChanges == 1)
        #expect(text(machine.timerFired()) == ["commit -all"])
    }

    @Test
    func `Pages that are saved again and again while the file fails count once, and cost the others nothing`() {
        var machine = ready { ($0.maxPendingChanges, $0.leastChangeLimit) = (4, 16) }
        _ = machine.apply([save("a", "A0")], for: 0)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        for round in 1..<200 {
            let saves = [save("a", "A\(round)"), save("b", "B\(round)")]
            #expect(text(machine.apply(saves, for: round)).contains("accept \(round)"))
            #expect(machine.pendingChanges <= 8)
        }
        #expect(text(machine.load(id("a"), for: 1)) == ["answer 1 A199"])
        // Whatever the file has of them goes first, as it may be older than what else is written.
        #expect(text(machine.flush(for: 2)) == ["commit -a -b a=A199 b=B199 a*1!"])
    }

    @Test
    func `Edits and clears between saves of a page that a failing store drops keep their places`() {
        var machine = ready { ($0.maxPendingChanges, $0.leastChangeLimit) = (4, 64) }
        _ = machine.apply([save("a", "A0")], for: 0)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        let changes = [edit(.all, "x"), save("a", "A1"), .remove(.scope("")), save("a", "A2"), save("a", "A3")]
        #expect(text(machine.apply(changes, for: 1)) == ["accept 1"])
        #expect(machine.pendingChanges == 4)
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 A3"])
        #expect(text(machine.flush(for: 3)) == ["prepare -a all+x -scope: a=A3 a*1!"])
    }

    @Test
    func `What a failing store keeps is bounded, whatever is asked of it`() {
        var machine = ready { $0.maxPendingChanges = 10 }
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(failure(.full))
        for index in 0..<100 {
            let changes = (index * 400..<(index + 1) * 400).map { number -> StoreChange<String> in
                number % 2 == 0 ? save("\(number)", "X") : .remove(.identity(id("\(number)")))
            }
            _ = machine.apply(changes, for: index)
            #expect(machine.pendingChanges <= 16_384)
        }
        // Nothing that was cleared comes back.
        #expect(text(machine.load(id("1"), for: 1)) == ["answer 1 absent"])
    }

    @Test
    func `A busy file is tried again soon and silently, until it lasts`() {
        var machine = ready { $0.maxBusyAttempts = 3 }
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.flush(for: 2)
        #expect(text(machine.commitFinished(failure(.busy))) == ["arm 10"])
        #expect(text(machine.timerFired()) == ["commit a=A!"])
        #expect(text(machine.commitFinished(failure(.busy))) == ["arm 20"])
        _ = machine.timerFired()
        #expect(text(machine.commitFinished(failure(.busy))) == ["report busy", "flushed 2 failed busy", "arm 1000"])
    }

    @Test
    func `After the file was replaced its facts are learned anew and the batch is written to it`() {
        var machine = ready()
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.flush(for: 2)
        #expect(text(machine.commitFinished(failure(.replaced))) == ["report replaced", "recover"])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["commit a=A!"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 2"])
    }

    @Test
    func `A file of a later version turns the store off: nothing is stored, found or kept`() {
        var machine = ready()
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.flush(for: 2)
        #expect(text(machine.commitFinished(failure(.newer))) == ["report newer", "flushed 2 failed newer"])
        #expect(text(machine.load(id("a"), for: 3)) == ["answer 3 absent"])
        #expect(text(machine.apply([save("a", "A")], for: 4)) == ["accept 4 lost"])
        #expect(text(machine.flush(for: 5)) == ["flushed 5 failed newer"])
        #expect(machine.pendingChanges == 0)
    }

    @Test
    func `A damaged page is removed, unless another one took its place meanwhile`() {
        var machine = ready()
        _ = machine.load(id("a"), for: 1)
        #expect(
            text(machine.readFinished(1, .damaged(failure(.damagedPage)))) == ["answer 1 failed damagedPage", "arm 50"])
        #expect(text(machine.load(id("a"), for: 2)) == ["answer 2 absent"])
        _ = machine.load(id("b"), for: 3)
        _ = machine.apply([save("b", "B")], for: 4)
        _ = machine.flush(for: 5)
        _ = machine.commitFinished(nil)
        #expect(text(machine.readFinished(2, .damaged(failure(.damagedPage)))) == ["read 3 b"])
        #expect(text(machine.load(id("b"), for: 6)) == ["read 4 b"])
    }

    @Test
    func `No more reads run at once than allowed; the others follow in order`() {
        var machine = ready { $0.maxParallelReads = 2 }
        #expect(text(machine.load(id("a"), for: 1)) == ["read 1 a"])
        #expect(text(machine.load(id("b"), for: 2)) == ["read 2 b"])
        #expect(text(machine.load(id("c"), for: 3)) == [])
        #expect(text(machine.readFinished(2, .absent)) == ["answer 2 absent", "read 3 c"])
        #expect(text(machine.readFinished(2, .absent)) == [])
    }

    @Test
    func `A burst far beyond a small bound loses nothing`() {
        var machine = ready { $0.maxPendingChanges = 1 }
        _ = machine.apply([save("a", "A")], for: 1)
        #expect(text(machine.apply((0..<100).map { .invalidate(.key("\($0)")) }, for: 2)) == [])
        #expect(machine.pendingChanges == 101)
        #expect(text(machine.load(id("a"), for: 3)) == ["answer 3 A"])
    }

    @Test
    func `When everything is removed because too much waits, all who wait are told`() {
        var machine = ready()
        _ = machine.apply([save("a", "A")], for: 1)
        #expect(text(machine.timerFired()) == ["commit a=A"])
        #expect(text(machine.apply([save("b", "B")], for: 2)) == ["accept 2", "arm 50"])
        #expect(text(machine.flush(for: 3)) == [])
        let removals = (0..<16_384).map { StoreChange<String>.remove(.identity(id("\($0)"))) }
        #expect(text(machine.apply(removals, for: 4)) == ["accept 4 lost", "flushed 3 failed unavailable"])
        #expect(text(machine.commitFinished(nil)).contains("commit -all"))
    }

    @Test
    func `When everything is removed, a load that waits finds nothing, and what takes away more costs nothing`() {
        var machine = ready { ($0.maxPendingChanges, $0.leastChangeLimit, $0.maxParallelReads) = (1, 16, 1) }
        #expect(text(machine.load(id("other"), for: 1)) == ["read 1 other"])
        _ = machine.apply([edit(.all, "x")], for: 2)
        #expect(text(machine.load(id("a"), for: 3)) == [])
        let answers = text(machine.apply((0..<17).map { .invalidate(.key("\($0)")) }, for: 4))
        let left = machine.pendingChanges
        #expect(answers.contains("answer 3 absent") && left <= 2)
        _ = machine.apply((0..<100).map { .remove(.key("\($0)")) }, for: 5)
        #expect(machine.pendingChanges == left)
        _ = machine.apply([save("a", "A")], for: 6)
        #expect(text(machine.load(id("a"), for: 7)) == ["answer 7 A"])
    }

    @Test
    func `Uses go with the next batch, the one read last at the end; reads alone write nothing`() {
        var machine = ready()
        for (token, key) in ["a", "b", "a"].enumerated() {
            _ = machine.load(id(key), for: 1)
            #expect(text(machine.readFinished(token + 1, .page(page(key)))) == ["answer 1 \(key)"])
        }
        #expect(text(machine.flush(for: 2)) == ["commit b*1 a*2!"])
    }

    @Test(arguments: [StoreFailure.Kind.busy, .full])
    func `Uses of a commit that failed keep their order, and those read since come last`(_ kind: StoreFailure.Kind) {
        var machine = ready()
        let keys = (0..<20).map { "\($0 * 7 % 20)" }
        for (index, key) in keys.enumerated() {
            _ = machine.load(id(key), for: index)
            _ = machine.readFinished(index + 1, .page(page(key)))
        }
        let first = keys.map { "\($0)*1" }.joined(separator: " ")
        #expect(text(machine.flush(for: 20)) == ["commit \(first)!"])
        _ = machine.commitFinished(failure(kind))
        _ = machine.load(id(keys[0]), for: 21)
        _ = machine.readFinished(21, .page(page("again")))
        let second = (keys.dropFirst().map { "\($0)*1" } + ["\(keys[0])*2"]).joined(separator: " ")
        #expect(text(machine.flush(for: 22)) == ["commit \(second)!"])
    }

    @Test
    func `Closing writes what waits, and gives up when that fails`() {
        var machine = ready { $0.maxBatchChanges = 1 }
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.apply([save("b", "B")], for: 2)
        #expect(text(machine.close()) == [])
        #expect(text(machine.commitFinished(nil)).contains("commit b=B"))
        #expect(text(machine.commitFinished(failure(.full))) == ["report full"])
        #expect(machine.pendingChanges == 0)
    }

    @Test
    func `Closing while the file is busy answers a flush that waits, although no change does`() {
        var machine = ready()
        _ = machine.apply([save("a", "A")], for: 1)
        _ = machine.timerFired()
        _ = machine.commitFinished(nil)
        #expect(text(machine.flush(for: 2)) == ["commit !"])
        #expect(text(machine.commitFinished(failure(.busy))) == ["arm 10"])
        #expect(text(machine.close()) == ["commit !"])
        #expect(text(machine.commitFinished(nil)) == ["flushed 2"])
    }

    @Test
    func `Closing tries a busy file and a replaced one again, and gives up after as many attempts as usual`() {
        var machine = ready { $0.maxBusyAttempts = 3 }
        _ = machine.apply([save("a", "A"), .remove(.scope("user"))], for: 1)
        _ = machine.close()
        #expect(text(machine.commitFinished(failure(.replaced))) == ["report replaced", "recover"])
        #expect(text(machine.recovered(nil, hasWork: false)) == ["commit a=A -scope:user"])
        #expect(text(machine.commitFinished(failure(.busy))) == ["arm 10"])
        #expect(text(machine.timerFired()) == ["commit a=A -scope:user"])
        #expect(text(machine.commitFinished(failure(.busy))) == ["arm 20"])
        #expect(text(machine.timerFired()) == ["commit a=A -scope:user"])
        #expect(text(machine.commitFinished(failure(.busy))) == ["report busy"])
        #expect(machine.pendingChanges == 0)
    }

    @Test(arguments: [StoreFailure.Kind.full, .busy])
    func `Any pause may be configured, however often the file fails`(_ kind: StoreFailure.Kind) {
        var machine = ready {
            $0.retryPause = .seconds(Int64.max)
            $0.busyPause = .seconds(Int64.max)
        }
        _ = machine.apply([save("a", "A")], for: 0)
        var pause: Duration?
        for number in 0..<15 {
            _ = machine.flush(for: number)
            // Told where it changes.
            pause = machine.commitFinished(failure(kind)).pause ?? pause
        }
        #expect(kind == .busy ? pause == .seconds(1) : pause ?? .zero > .seconds(3_600))
    }

    @Test
    func `Answers with an unknown token are ignored`() {
        var machine = ready()
        #expect(text(machine.readFinished(7, .absent)) == [])
        #expect(text(machine.commitFinished(nil)) == [])
        #expect(text(machine.timerFired()) == [])
        #expect(text(machine.recovered(nil, hasWork: true)) == [])
    }
}
