import Notes
import PaginatorCore
import PaginatorTesting
import Testing

/// The one-line bridge from the kit to Swift Testing.
let toTesting: FailureReport = { message, file, line in Issue.record("\(message) (\(file):\(line))") }

@Suite struct ContractTests {
    @Test(arguments: StoreContract.cases)
    func ourStoreKeepsTheContract(_ name: String) {
        StoreContract { DictionaryStore() }.check(name, report: toTesting)
    }

    @Test(arguments: DataSourceContract<Note>.cases)
    func ourSourceKeepsTheContract(_ name: String) {
        let notes = (0..<95).map { Note(id: $0, text: "note \($0)") }
        DataSourceContract(itemCount: 95) { NoteSource(notes) }.check(name, report: toTesting)
    }
}
