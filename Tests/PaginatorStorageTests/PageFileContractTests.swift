import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

/// A file that keeps the contract but for one flaw, which is named after the case that must find it.
private final class BrokenFile: PageFile {
    private let real = ScriptedPageFile()
    private let flaw: String

    init(_ flaw: String) { self.flaw = flaw }

    func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        flaw == "read and save" ? nil : try real.read(identity)
    }

    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        if flaw == "nothing to do", changes.isEmpty { throw PaginatorError(.storeFailed, "nothing to do") }
        let kept = changes.compactMap { change -> RecordChange? in
            switch (flaw, change) {
            case ("rewrite", .rewrite(let record, _)): .save(record, savedAt: record.fetchedAt)
            case ("remove", .remove(.scope)), ("invalidate", .invalidate), ("facts", .use): nil
            default: change
            }
        }
        try real.commit(kept, durably: durably)
    }

    func recover() throws(PaginatorError) -> [RecordFacts] { try real.recover() }
}

@Suite struct PageFileContractTests {
    private let failures = Guarded<[String]>([])

    private var report: FailureReport {
        { [failures] message, _, _ in failures.withLock { $0.append(message) } }
    }

    @Test(arguments: PageFileContract.cases)
    func `each case finds a file that breaks it`(_ flaw: String) {
        Contract.pageFile(reopen: { _ in BrokenFile("") }, make: { BrokenFile(flaw) }).check(flaw, report: report)
        #expect(failures.withLock { !$0.isEmpty })
    }

    @Test(arguments: PageFileContract.cases)
    func `no case finds anything in a file without a flaw`(_ name: String) {
        Contract.pageFile(reopen: { $0 }, make: { BrokenFile("") }).check(name, report: report)
        #expect(failures.withLock { $0 } == [])
    }
}
