import Dispatch
package import Foundation
import PaginatorCore

/// Who is signed in, and the folder on disk that is theirs.
///
///     root/session.json          user and token, readable by the owner only
///     root/users/<user>/         everything of the signed-in user: databases, page stores, media
///
/// A log-out forgets the session first and deletes the folder then. A kill between the two is made good at the next
/// start: folders of nobody who is signed in are deleted when the session is opened.
package final class AppSession: Sendable {
    /// A signed-in user.
    package struct User: Codable, Sendable, Hashable, CustomStringConvertible {
        package let id: String
        package let name: String
        /// Proves to the backend who asks; in no description, log or error.
        package let token: String

        package init(id: String, name: String, token: String) {
            self.id = id
            self.name = name
            self.token = token
        }

        package var description: String { "user \(id)" }
    }

    package let root: URL
    private let current: Guarded<User?>
    private let files = DispatchQueue(label: "session")

    private init(root: URL, user: User?) {
        self.root = root
        current = Guarded(user)
    }

    /// Opens what an earlier run left in a folder, which is made if it is not there.
    ///
    /// A damaged session file counts as signed out; the users' folders stay until somebody signs in.
    ///
    /// - Throws: when the file system does not let the folder be made or the session be read.
    @concurrent
    package static func open(_ root: URL) async throws -> AppSession {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        var user: User?
        let file = root.appendingPathComponent("session.json")
        if FileManager.default.fileExists(atPath: file.path) {
            let data = try Data(contentsOf: file)
            do {
                user = try JSONDecoder().decode(User.self, from: data)
            } catch {
                // Nothing is deleted: what was not sent yet is there when its user signs in again.
                return AppSession(root: root, user: nil)
            }
        }
        let session = AppSession(root: root, user: user)
        try session.removeFolders(except: user?.id)
        return session
    }

    /// The signed-in user; `nil` when nobody is.
    package var user: User? { current.withLock { $0 } }

    /// The signed-in user's token.
    package var token: String? { user?.token }

    /// The folder of a user, which exists while they are signed in.
    package func folder(of user: User) -> URL {
        users.appendingPathComponent(Self.folderName(user.id), isDirectory: true)
    }

    /// Signs in: what belongs to anybody else is deleted, and the user's folder made.
    @concurrent
    package func signIn(_ user: User) async throws {
        try files.sync {
            try removeFolders(except: user.id)
            try FileManager.default.createDirectory(at: folder(of: user), withIntermediateDirectories: true)
            let data = try JSONEncoder().encode(user)
            try data.write(to: file, options: Self.writing)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            current.withLock { $0 = user }
        }
    }

    /// Logs out: nothing of the user is left on disk. Close what is open in their folder first.
    @concurrent
    package func signOut() async throws {
        try files.sync {
            current.withLock { $0 = nil }
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            try removeFolders(except: nil)
        }
    }

    private var file: URL { root.appendingPathComponent("session.json") }
    private var users: URL { root.appendingPathComponent("users", isDirectory: true) }

    private func removeFolders(except user: String?) throws {
        guard FileManager.default.fileExists(atPath: users.path) else { return }
        let kept = user.map(Self.folderName)
        for name in try FileManager.default.contentsOfDirectory(atPath: users.path) where name != kept {
            try remove(users.appendingPathComponent(name))
        }
    }

    /// Removes a folder, to which a database that is being closed may add its log meanwhile, or take it away.
    private func remove(_ folder: URL) throws {
        for _ in 0..<4 {
            do {
                return try FileManager.default.removeItem(at: folder)
            } catch {
                guard FileManager.default.fileExists(atPath: folder.path) else { return }
            }
        }
        try FileManager.default.removeItem(at: folder)
    }

    /// A name that is a legal file name for every id, and another for every other id.
    private static func folderName(_ id: String) -> String {
        "u"
            + id.utf8.map { byte in
                (48...57).contains(byte) || (97...122).contains(byte)
                    ? String(UnicodeScalar(byte)) : "_" + String(byte, radix: 16)
            }.joined(separator: "")
    }

    private static var writing: Data.WritingOptions {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            [.atomic]
        #endif
    }
}
