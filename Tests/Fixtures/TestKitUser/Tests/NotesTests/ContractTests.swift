import Notes
import PaginatorCore
import PaginatorTesting
import Testing

/// The one-line bridge from the kit to Swift Testing.
let toTesting: FailureReport = { message, file, line in Issue.record("\(message) (\(file):\(line))") }

@Suite struct ContractTests {
    static let store = Contract.store { DictionaryStore() }
    static let source = Contract.dataSource(itemCount: 95) {
        NoteSource((0..<95).map { Note(id: $0, text: "note \($0)") })
    }

    @Test(arguments: store.cases)
    func ourStoreKeepsTheContract(_ name: String) {
        Self.store.check(name, report: toTesting)
    }

    @Test(arguments: source.cases)
    func ourSourceKeepsTheContract(_ name: String) {
        Self.source.check(name, report: toTesting)
    }
}
