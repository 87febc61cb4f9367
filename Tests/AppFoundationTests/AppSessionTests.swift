import AppFoundation
import Foundation
import GRDB
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@Suite(.timeLimit(.minutes(3))) struct AppSessionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = TemporaryFolder()
    }

    private let ann = AppSession.User(id: "ann/../x", name: "Ann", token: "t-1")

    @Test func `the user is there after a restart`() async throws {
        let session = try await AppSession.open(folder.url)
        #expect(session.user == nil)
        try await session.signIn(ann)
        let file = session.folder(of: ann).appendingPathComponent("feed.sqlite")
        try Data("x".utf8).write(to: file)
        #expect(file.path.hasPrefix(folder.url.appendingPathComponent("users").path))
        let again = try await AppSession.open(folder.url)
        #expect(again.user == ann)
        #expect(again.token(of: ann) == "t-1")
        #expect(FileManager.default.fileExists(atPath: file.path))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.url.appendingPathComponent("session.json").path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `a log out leaves nothing`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        try Data("x".utf8).write(to: session.folder(of: ann).appendingPathComponent("feed.sqlite"))
        try await session.signOut()
        #expect(session.user == nil)
        #expect(try files().isEmpty)
        #expect(try await AppSession.open(folder.url).user == nil)
    }

    @Test func `the device keeps its id after a restart and a log out`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        try await session.signOut()
        #expect(try await AppSession.open(folder.url).device == session.device)
        let elsewhere = TemporaryFolder()
        #expect(try await AppSession.open(elsewhere.url).device != session.device)
        // A damaged file is replaced.
        try Data("x".utf8).write(to: folder.url.appendingPathComponent("device"))
        let again = try await AppSession.open(folder.url).device
        #expect(UUID(uuidString: again) != nil)
        #expect(try await AppSession.open(folder.url).device == again)
    }

    @Test func `a device whose id cannot be kept keeps nobody out`() async throws {
        try await AppSession.open(folder.url).signIn(ann)
        let file = folder.url.appendingPathComponent("device")
        try FileManager.default.removeItem(at: file)
        // No file that could be read or written.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let again = try await AppSession.open(folder.url)
        #expect(again.user == ann && UUID(uuidString: again.device) != nil)
    }

    @Test func `a log out that was interrupted is finished at the next start`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        try Data("x".utf8).write(to: session.folder(of: ann).appendingPathComponent("feed.sqlite"))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("session.json"))
        _ = try await AppSession.open(folder.url)
        #expect(try files().isEmpty)
    }

    @Test func `a damaged session signs out and loses nothing`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        let outbox = session.folder(of: ann).appendingPathComponent("feed.sqlite")
        try Data("x".utf8).write(to: outbox)
        try Data("{".utf8).write(to: folder.url.appendingPathComponent("session.json"))
        let again = try await AppSession.open(folder.url)
        #expect(again.user == nil)
        try await again.signIn(ann)
        #expect(FileManager.default.fileExists(atPath: outbox.path))
    }

    @Test func `a session that cannot be read is an error and loses nothing`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        let file = folder.url.appendingPathComponent("session.json")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        await #expect(throws: (any Error).self) { try await AppSession.open(folder.url) }
        #expect(FileManager.default.fileExists(atPath: session.folder(of: ann).path))
    }

    @Test func `a refused token signs out and loses nothing until the user comes back`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        let outbox = session.folder(of: ann).appendingPathComponent("app.sqlite")
        try Data("unsent".utf8).write(to: outbox)
        let told = Handshake(0)
        let observation = session.observe { told.update { $0 += 1 } }
        await session.refuse("t-0")
        #expect(session.isSignedIn(ann))
        await session.refuse("t-1")
        await session.refuse("t-1")
        try await told.wait { $0 == 1 }
        #expect(!session.isSignedIn(ann) && session.token(of: ann) == nil && session.user?.id == ann.id)

        let again = try await AppSession.open(folder.url)
        #expect(!again.isSignedIn(ann) && again.user?.name == "Ann")
        #expect(FileManager.default.fileExists(atPath: outbox.path))
        let file = try Data(contentsOf: folder.url.appendingPathComponent("session.json"))
        #expect(!String(decoding: file, as: UTF8.self).contains("t-1"))
        try await again.signIn(AppSession.User(id: ann.id, name: "Ann", token: "t-2"))
        #expect(again.token(of: ann) == "t-2")
        #expect(FileManager.default.fileExists(atPath: outbox.path))
        // What the server says of the old token comes late.
        await again.refuse("t-1")
        #expect(again.isSignedIn(ann))
        withExtendedLifetime(observation) {}
    }

    @Test func `a user is never given the token of another`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        try await session.signIn(AppSession.User(id: "ben", name: "Ben", token: "t-2"))
        #expect(session.token(of: ann) == nil && !session.isSignedIn(ann))
    }

    @Test func `another user finds nothing of the first`() async throws {
        let session = try await AppSession.open(folder.url)
        try await session.signIn(ann)
        try Data("x".utf8).write(to: session.folder(of: ann).appendingPathComponent("feed.sqlite"))
        let ben = AppSession.User(id: "ben", name: "Ben", token: "t-2")
        try await session.signIn(ben)
        #expect(!FileManager.default.fileExists(atPath: session.folder(of: ann).path))
        #expect(FileManager.default.fileExists(atPath: session.folder(of: ben).path))
    }

    @Test func `a damaged session is signed out`() async throws {
        try Data("{".utf8).write(to: folder.url.appendingPathComponent("session.json"))
        #expect(try await AppSession.open(folder.url).user == nil)
    }

    @Test func `the token is in no description`() {
        #expect(!"\(ann)".contains("t-1"))
        #expect(!String(reflecting: ann).contains("t-1"))
    }

    @Test(arguments: [1, 4])
    func `a folder to which a log is added meanwhile is removed by another attempt`(failures: Int) throws {
        let user = folder.url.appendingPathComponent("user", isDirectory: true)
        try FileManager.default.createDirectory(at: user, withIntermediateDirectories: true)
        let attempts = Guarded(0)
        let removal = FolderRemoval { url in
            // As when the database that is being closed writes after the folder was read.
            let isLate = attempts.withLock { attempts in
                attempts += 1
                return attempts <= failures
            }
            if isLate {
                try Data("log".utf8).write(to: url.appendingPathComponent("app.sqlite-wal"))
                throw CocoaError(.fileWriteUnknown)
            }
            try FileManager.default.removeItem(at: url)
        }
        try removal(user)
        #expect(attempts.withLock { $0 } == failures + 1)
        #expect(!FileManager.default.fileExists(atPath: user.path))
    }

    @Test func `a folder that vanishes meanwhile is removed and one that stays is an error`() throws {
        let user = folder.url.appendingPathComponent("user", isDirectory: true)
        try FileManager.default.createDirectory(at: user, withIntermediateDirectories: true)
        let attempts = Guarded(0)
        let stubborn = FolderRemoval { _ in
            attempts.withLock { $0 += 1 }
            throw CocoaError(.fileWriteNoPermission)
        }
        #expect(throws: CocoaError.self) { try stubborn(user) }
        #expect(attempts.withLock { $0 } == 5)
        let vanishing = FolderRemoval { url in
            try FileManager.default.removeItem(at: url)
            throw CocoaError(.fileNoSuchFile)
        }
        try vanishing(user)
        #expect(!FileManager.default.fileExists(atPath: user.path))
    }

    /// Every file below the folder.
    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
            !["users", "device"].contains($0)
        }
    }
}

@Suite(.timeLimit(.minutes(3))) struct AppDatabaseTests {
    private let folder: TemporaryFolder
    private let first = AppDatabase.Migration("1") { try $0.execute(sql: "CREATE TABLE a(x)") }
    private let second = AppDatabase.Migration("2") { try $0.execute(sql: "ALTER TABLE a ADD COLUMN y") }

    init() throws {
        folder = TemporaryFolder()
    }

    private var file: URL { folder.url.appendingPathComponent("deep/er/app.sqlite") }

    @Test func `migrations run once and data stays`() async throws {
        let old = try await AppDatabase.open(file, [first])
        try await old.write { try $0.execute(sql: "INSERT INTO a VALUES (1)") }
        try await old.close()
        let new = try await AppDatabase.open(file, [first, second])
        #expect(try await new.read { try Int.fetchOne($0, sql: "SELECT x FROM a WHERE y IS NULL") } == 1)
        #expect(try await new.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try await new.read { try Int.fetchOne($0, sql: "PRAGMA foreign_keys") } == 1)
        try await new.close()
        await #expect(throws: AppDatabase.OpenError.newerSchema) { try await AppDatabase.open(file, [first]) }
    }

    @Test func `a failed write leaves nothing`() async throws {
        let database = try await AppDatabase.open(file, [first])
        await #expect(throws: DatabaseError.self) {
            try await database.write { database in
                try database.execute(sql: "INSERT INTO a VALUES (1)")
                try database.execute(sql: "INSERT INTO missing VALUES (1)")
            }
        }
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM a") } == 0)
    }
}

@Suite(.timeLimit(.minutes(3))) struct RequestIDsTests {
    @Test func `ids are UUIDs of version 7 in ascending order`() throws {
        let clock = ManualPaginatorClock()
        let ids = RequestIDs(clock: clock)
        var made: [String] = []
        for round in 0..<10_000 {
            made.append(ids.next())
            // The wall clock may stand still, go on, or be set back.
            if round % 3_000 == 0 { clock.moveWallTime(by: .seconds(round % 2 == 0 ? -5 : 1)) }
        }
        #expect(made == made.sorted())
        #expect(Set(made).count == made.count)
        for id in made {
            let uuid = try #require(UUID(uuidString: id)).uuid
            #expect(uuid.6 >> 4 == 7)
            #expect(uuid.8 >> 6 == 2)
        }
    }

    @Test func `the time stands in front`() {
        let ids = RequestIDs(clock: ManualPaginatorClock(), random: { .max })
        #expect(ids.next() == "019b76da-a800-77ff-bfff-ffffffffffff")
    }
}
