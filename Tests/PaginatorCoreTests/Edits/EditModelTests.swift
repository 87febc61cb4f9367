import Dispatch
import Oracles
import Testing

@testable import PaginatorCore

/// Random edits of the pages in memory, judged by plain arrays.
@Suite struct EditModelTests {
    private struct Item: Sendable, Equatable {
        var id: Int
        var code: Int
        var text = ""
    }

    /// What the paginator is to show, with what is pending and by which closure that finds its item.
    private struct Pending {
        let edit: PaginatorEdit<Item>
        let number: Int
        let matches: (Item) -> Bool
        let text: String
    }

    private func edited(_ items: [Item], _ matches: (Item) -> Bool, _ change: (Item) -> Item?) -> [Item] {
        var result: [Item] = []
        for item in items {
            if !matches(item) { result.append(item) } else if let new = change(item) { result.append(new) }
        }
        return result
    }

    private func appending(_ text: String) -> @Sendable (Item) -> Item? {
        { Item(id: $0.id, code: $0.code, text: $0.text + text) }
    }

    @Test(arguments: 1...12) func `whatever is edited every page in memory has each edit once`(seed: UInt64) throws {
        var dice = Dice(seed)
        let paginator = CallbackPaginator(
            dataSource: ArrayDataSource<Item>([]), config: DefaultPaginatorConfig())
        // More closures than are told apart at once, which find items by different properties.
        let byID = (0..<4).map { _ in paginator.edits { (item: Item) in item.id } }
        let byCode = (0..<4).map { _ in paginator.edits { (item: Item) in "\(item.code)" } }
        var pages: [String: [Item]] = [:]
        var pending: [Pending] = []
        var number = 0
        // Mostly by few closures, so that their items are learned.
        let closures = 1 + dice.below(4)
        for _ in 0..<300 {
            number += 1
            let key = "\(dice.below(20))"
            let (id, code) = (dice.below(12), dice.below(12))
            let text = "\(number) "
            switch dice.below(16) {
            case 0...3:
                var items: [Item] = []
                for id in 0..<12 where dice.one(in: 3) { items.append(Item(id: id, code: dice.below(12))) }
                pages[key] = items
                try paginator.prime(PaginatorPage(content: items, key: key), pageSize: 12)
            case 4...6:
                byID[dice.below(closures)].update(id, appending(text))
                pages = pages.mapValues { edited($0, { $0.id == id }, appending(text)) }
            case 7, 8:
                byCode[dice.below(closures)].update("\(code)", appending(text))
                pages = pages.mapValues { edited($0, { $0.code == code }, appending(text)) }
            case 9:
                // The item has another identity from now on.
                let new = dice.below(12)
                byID[dice.below(closures)].update(id) { Item(id: new, code: $0.code, text: $0.text + text) }
                pages = pages.mapValues {
                    edited($0, { $0.id == id }, { Item(id: new, code: $0.code, text: $0.text + text) })
                }
            case 10:
                byCode[dice.below(closures)].remove("\(code)")
                pages = pages.mapValues { edited($0, { $0.code == code }, { _ in nil }) }
            case 11:
                if dice.one(in: 2) {
                    let edit = byID[dice.below(closures)].begin(id, appending(text))
                    pending.append(Pending(edit: edit, number: number, matches: { $0.id == id }, text: text))
                } else {
                    let edit = byCode[dice.below(closures)].begin("\(code)", appending(text))
                    pending.append(Pending(edit: edit, number: number, matches: { $0.code == code }, text: text))
                }
            case 12 where !pending.isEmpty:
                let ended = pending.remove(at: dice.below(pending.count))
                if dice.one(in: 2) {
                    ended.edit.rollBack()
                } else {
                    ended.edit.commit()
                    pages = pages.mapValues { edited($0, ended.matches, appending(ended.text)) }
                }
            case 13:
                paginator.clear(key: key)
                pages[key] = nil
            case 14 where dice.one(in: 4):
                paginator.trim(toFraction: 0.5)
                for key in pages.keys where paginator.peek(key: key, pageSize: 12) == nil { pages[key] = nil }
            default: break
            }
            for key in number % 50 == 0 ? (0..<20).map({ "\($0)" }) : [key] {
                let shown = pages[key].map { items in
                    pending.reduce(items) { items, edit in edited(items, edit.matches, appending(edit.text)) }
                }
                let found = paginator.peek(key: key, pageSize: 12)?.page.content
                #expect(found == shown, "seed \(seed), step \(number), page \(key)")
            }
        }
    }

    @Test func `who reads a page after an edit never sees it without`() throws {
        struct Counter: Sendable {
            let id: Int
            var value = 0
        }
        let known = Guarded([Int](repeating: 0, count: 64))
        let floors = Guarded([Int](repeating: 0, count: 64))
        let paginator = CallbackPaginator(
            dataSource: ArrayDataSource<Counter>([]), config: DefaultPaginatorConfig())
        let edits = paginator.edits(id: \.id)
        @Sendable func prime(_ page: Int) throws {
            // As from a source that has each edit before the paginator has it.
            try known.withLock { values in
                let items = (0..<8).map { Counter(id: page * 4 + $0, value: values[page * 4 + $0]) }
                try paginator.prime(PaginatorPage(content: items, key: "\(page)"), pageSize: 8)
            }
        }
        for page in 0..<15 { try prime(page) }
        let done = AtomicWord()
        let group = DispatchGroup()
        let failures = Guarded<[String]>([])
        for thread in 0..<3 {
            DispatchQueue.global().async(group: group) {
                var dice = Dice(UInt64(thread))
                while done.value == 0 {
                    let page = dice.below(15)
                    if dice.one(in: 8) {
                        do { try prime(page) } catch { failures.withLock { $0.append("\(error)") } }
                    }
                    if dice.one(in: 64) { paginator.trim(toFraction: 0.8) }
                    let committed = floors.withLock { $0 }
                    guard let items = paginator.peek(key: "\(page)", pageSize: 8)?.page.content else { continue }
                    for item in items where item.value < committed[item.id] {
                        failures.withLock { $0.append("\(item) lacks \(committed[item.id])") }
                    }
                }
            }
        }
        var dice = Dice(7)
        for number in 1...2_000 {
            let id = dice.below(64)
            known.withLock { $0[id] = number }
            edits.update(id) { Counter(id: $0.id, value: max($0.value, number)) }
            floors.withLock { $0[id] = number }
        }
        done.value = 1
        group.wait()
        #expect(failures.withLock { Array($0.prefix(3)) } == [])
    }
}
