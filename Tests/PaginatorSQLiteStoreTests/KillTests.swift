import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

@Suite("A killed process")
struct KillTests {
    @Test
    func `After SIGKILL at any moment the file opens, what was flushed reads back, and no page is torn`() throws {
        let folder = TemporaryFolder()
        let rounds = isLongRun ? 1_000 : 100
        var random = SeededRandom(seed: 3)
        var flushed: [String: Int] = [:]
        var version = 0
        for round in 0..<rounds {
            let child = try ChildProcess("write", folder.file, "\(version + 1)")
            // A number of lines is a random moment in the child, which does not wait for us.
            let lines = random.number(in: 1..<70)
            var pending: [String: Int] = [:]
            var read = 0
            func take(_ line: String) {
                let words = line.split(separator: " ")
                switch words.first {
                case "saving":
                    pending[String(words[1])] = Int(words[2])!
                    version = max(version, Int(words[2])!)
                case "flushed": flushed.merge(pending) { $1 }
                default: Issue.record("round \(round): \(line)")
                }
            }
            while read < lines, let line = child.nextLine() {
                take(line)
                read += 1
            }
            child.kill()
            while let line = child.nextLine() { take(line) }

            let inspector = try Inspector(folder.file)
            #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"], "round \(round)")
            let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "kill")
            let reports = Reports()
            store.attach(to: reports.environment(.lru(maxPages: 10_000)))
            for (key, least) in flushed {
                let found = try store.loadNow(PageIdentity(key: key, pageSize: 3)).get()
                #expect(found?.isSample(of: key) == true, "round \(round): the page \(key) is lost or torn")
                #expect(found?.version ?? -1 >= least, "round \(round): the page \(key) is older than what was flushed")
            }
            #expect(reports.kinds.isEmpty, "round \(round): \(reports.kinds)")
            #expect(!folder.contents.contains("pages.sqlite-damaged"), "round \(round)")
        }
        #expect(flushed.count == 20)
    }
}
