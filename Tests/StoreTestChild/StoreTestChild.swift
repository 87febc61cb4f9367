import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage
import PaginatorTesting

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// The other process of the store's tests: writes until it is killed, shares a file, holds or damages one.
@main
struct StoreTestChild {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "write": write(path: arguments[2], start: Int(arguments[3]) ?? 0)
        case "share": share(path: arguments[2], name: arguments[3], rounds: Int(arguments[4]) ?? 0)
        case "flip": flip(path: arguments[2], offset: Int(arguments[3]) ?? 0, bytes: arguments[4])
        case "hold": hold(path: arguments[2], isExclusive: arguments[3] == "exclusive")
        case "sql": sql(path: arguments[2], arguments[3])
        default: exit(64)
        }
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    static func page(_ key: String, _ version: Int, _ length: Int) -> StoredPage<SampleItem> {
        let text = String(repeating: "x", count: length)
        return StoredPage(
            page: PaginatorPage(
                content: (0..<3).map { SampleItem(id: $0, text: "\(key)|\(version)|\(text)") }, key: key,
                nextKey: key + "+"),
            fetchedAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(version)))
    }

    static func wait<Value: Sendable>(_ body: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
        let answer = Handshake<Value?>(nil)
        body { value in answer.update { $0 = value } }
        answer.block { $0 != nil }
        return answer.read { $0 }!
    }

    /// Saves pages in ever newer versions, flushes, and says what is flushed, until the process is killed.
    static func write(path: String, start: Int) {
        guard let store = try? SQLitePageStore<SampleItem>(path: path, namespace: "kill") else {
            return say("failed: open")
        }
        store.attach(
            to: StoreEnvironment(evictionStrategy: .lru(maxPages: 10_000)) { event in
                if let error = event.error { say("failed: \(error)") }
            })
        for version in start... {
            for index in 0..<6 {
                let key = "\((version + index) % 20)"
                let saved = page(key, version, (version * 37 + index * 911) % 9_000)
                store.apply([.save(PageIdentity(key: key, pageSize: 3), saved)]) { _ in }
                say("saving \(key) \(version)")
            }
            let result = wait { store.flush(completion: $0) }
            guard case .success = result else { return say("failed: \(result)") }
            say("flushed \(version)")
        }
    }

    /// Shares a namespace with others under a limit, and keeps one of its own; says what went wrong.
    static func share(path: String, name: String, rounds: Int) {
        var shared: SQLitePageStore<SampleItem>
        var own: SQLitePageStore<SampleItem>
        let replaced = Handshake(0)
        let report: @Sendable (PaginatorEvent) -> Void = { event in
            guard let error = event.error else { return }
            if error.storeFailure?.kind == .replaced { replaced.update { $0 += 1 } } else { say("failed: \(error)") }
        }
        do {
            shared = try SQLitePageStore(path: path, namespace: "shared")
            own = try SQLitePageStore(path: path, namespace: name)
        } catch {
            return say("failed: \(error)")
        }
        shared.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 30), report: report))
        own.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000), report: report))
        var random = SeededRandom(seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        for round in 0..<rounds {
            let before = replaced.read { $0 }
            for _ in 0..<4 {
                let key = "\(random.number(in: 0..<200))"
                shared.apply([.save(PageIdentity(key: key, pageSize: 3), page(key, round, 500))]) { _ in }
            }
            let key = "\(round % 10)"
            own.apply([.save(PageIdentity(key: key, pageSize: 3), page(key, round, 1_000))]) { _ in }
            for store in [shared, own] {
                let result = wait { store.flush(completion: $0) }
                if case .failure(let error) = result { say("failed: flush \(error)") }
            }
            let loaded = wait { own.load(PageIdentity(key: key, pageSize: 3), completion: $0) }
            switch loaded {
            case .success(let found):
                // A page may be lost only with a file that was set aside meanwhile.
                if found?.page.content != page(key, round, 1_000).page.content, replaced.read({ $0 }) == before {
                    say("failed: lost \(name) \(key) \(round): \(found == nil)")
                }
            case .failure(let error):
                if error.storeFailure?.kind != .damagedPage, error.storeFailure?.kind != .replaced {
                    say("failed: load \(error)")
                }
            }
            say("round \(round)")
        }
        say("done \(replaced.read { $0 })")
    }

    /// Writes over bytes of a file that another process has open: in one's own, closing the file would drop its locks.
    static func flip(path: String, offset: Int, bytes: String) {
        guard let file = FileHandle(forUpdatingAtPath: path) else { exit(66) }
        do {
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: Data(bytes.split(separator: ",").compactMap { UInt8($0) }))
            try file.close()
        } catch {
            exit(74)
        }
    }

    /// Holds the lock beside a database until the process is killed.
    static func hold(path: String, isExclusive: Bool) {
        let descriptor = open(path + "-lock", O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0, flock(descriptor, isExclusive ? LOCK_EX : LOCK_SH) == 0 else { exit(73) }
        say("held")
        while true { pause() }
    }

    /// Runs statements that the store itself would not.
    static func sql(path: String, _ sql: String) {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_busy_timeout(database, 5_000) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else {
            say("failed: \(String(cString: sqlite3_errmsg(database)))")
            exit(70)
        }
        sqlite3_close(database)
    }
}
