import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store under a contract, with calls that wait for their answer.
struct ContractRun: Sendable {
    let store: any PaginatorStore<SampleItem>
    let report: StoreContract.Report

    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line) {
        if !isTrue { report(message(), file, line) }
    }

    func id(_ key: String, _ pageSize: Int = 10, scope: String = "") -> PageIdentity {
        PageIdentity(key: key, pageSize: pageSize, scope: scope)
    }

    /// A page of `count` items, whose texts tell where they belong.
    func page(_ key: String, _ count: Int) -> StoredPage<SampleItem> {
        StoredPage(
            page: PaginatorPage(content: (0..<count).map { SampleItem(id: $0, text: "\(key)/\($0)") }, key: key),
            fetchedAt: Date(timeIntervalSince1970: 1_767_225_600))
    }

    func load(_ key: String, file: StaticString = #file, line: UInt = #line) -> StoredPage<SampleItem>? {
        load(id(key), file: file, line: line)
    }

    func load(_ identity: PageIdentity, file: StaticString = #file, line: UInt = #line) -> StoredPage<SampleItem>? {
        switch Self.wait({ store.load(identity, completion: $0) }) {
        case .success(let page): return page
        case .failure(let error):
            report("loading \(identity) failed: \(error)", file, line)
            return nil
        }
    }

    func apply(_ changes: [StoreChange<SampleItem>], file: StaticString = #file, line: UInt = #line) {
        if case .failure(let error) = Self.wait({ store.apply(changes, accepted: $0) }) {
            report("changes were refused: \(error)", file, line)
        }
    }

    func flush(file: StaticString = #file, line: UInt = #line) {
        if case .failure(let error) = Self.wait({ store.flush(completion: $0) }) {
            report("flushing failed: \(error)", file, line)
        }
    }

    /// Blocks until the call that `body` makes has been answered.
    static func wait<Value: Sendable>(_ body: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
        let answer = Handshake<Value?>(nil)
        body { value in answer.update { $0 = value } }
        answer.block { $0 != nil }
        return answer.read { $0 }.unsafelyUnwrapped
    }
}

extension StoreContract {
    /// Random changes and loads, compared with a dictionary.
    func againstModel(_ run: ContractRun, _ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model: [PageIdentity: (items: [SampleItem], isInvalidated: Bool)] = [:]
        func selection() -> PageSelection {
            let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
            return [.identity(id), .identity(id), .key(id.key), .scope(id.scope), .all][
                random.chance(0.1) ? 4 : random.number(in: 0..<4)]
        }
        for step in 0..<1_500 {
            switch random.number(in: 0..<20) {
            case 0..<8:
                let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
                let page = run.page("\(step)", random.number(in: 0..<4))
                run.apply([.save(id, page)])
                model[id] = (page.page.content, false)
            case 8, 9:
                let selection = selection()
                run.apply([.remove(selection)])
                model = model.filter { !selection.contains($0.key) }
            case 10:
                let selection = selection()
                run.apply([.invalidate(selection)])
                for id in model.keys where selection.contains(id) { model[id]?.isInvalidated = true }
            case 11, 12:
                let selection = selection()
                let item = random.number(in: 0..<3)
                let isRemoval = random.chance(0.3)
                let edit = PageEdit<SampleItem>.items {
                    $0.id == item
                } change: {
                    isRemoval ? nil : SampleItem(id: $0.id, text: $0.text + "+\(step)")
                }
                run.apply([.edit(selection, edit)])
                for (id, known) in model where selection.contains(id) {
                    let page = PaginatorPage(content: known.items, key: id.key)
                    model[id]?.items = edit(page)?.content ?? known.items
                }
            case 13: run.flush()
            default:
                let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
                let found = run.load(id)
                run.expect(
                    found?.page.content == model[id]?.items, "seed \(seed), step \(step): \(id) holds other items")
                run.expect(
                    found?.isInvalidated == model[id]?.isInvalidated,
                    "seed \(seed), step \(step): \(id) is marked wrong")
            }
        }
    }
}
