import Dispatch
package import Foundation

/// Who is signed in, and the folder on disk that is theirs: one for feed and chat.
///
///     root/session.json          user and token, readable by the owner only
///     root/users/<user>/         everything of the signed-in user: databases, page stores, media
///
/// A server that refuses the token signs the user out, but logs nobody out: the folder stays, with all that waits to be
/// sent, until the same user signs in again or logs out. Whoever shows or sends anything observes it.
///
/// A log-out forgets the session first and deletes the folder then. A kill between the two is made good at the next
/// start: folders of nobody who is signed in are deleted when the session is opened.
package final class AppSession: Sendable {
    /// A signed-in user.
    package struct User: Sendable, Hashable, CustomStringConvertible {
        package let id: String
        package let name: String
        /// Proves to the backend who asks; in no description, log or error.
        package let token: String
        /// Where the backend has the user's image; `nil` where it has said none.
        package let imagePath: String?

        package init(id: String, name: String, token: String, imagePath: String? = nil) {
            self.imagePath = imagePath
            self.id = id
            self.name = name
            self.token = token
        }

        package var description: String { "user \(id)" }
    }

    /// Whose app it is.
    private struct State: Sendable, Equatable {
        var user: User?
        /// Whether the server does not take the user's token any more.
        var isTokenRefused = false
    }

    /// The session's file.
    private struct Record: Codable {
        var id: String
        var name: String
        /// None after a refusal: what is good for nothing is not kept.
        var token: String?
        var imagePath: String?
    }

    package let root: URL
    private let state: Observed<State>
    private let files = DispatchQueue(label: "session")

    private init(root: URL, state: State) {
        self.root = root
        self.state = Observed(state, label: "session-observers")
    }

    /// Opens what an earlier run left in a folder, which is made if it is not there.
    ///
    /// A damaged session file counts as signed out; the users' folders stay until somebody signs in.
    ///
    /// - Throws: when the file system does not let the folder be made or the session be read.
    @concurrent
    package static func open(_ root: URL) async throws -> AppSession {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        var state = State()
        let file = root.appendingPathComponent("session.json")
        if FileManager.default.fileExists(atPath: file.path) {
            let data = try Data(contentsOf: file)
            do {
                let record = try JSONDecoder().decode(Record.self, from: data)
                state.user = User(
                    id: record.id, name: record.name, token: record.token ?? "", imagePath: record.imagePath)
                state.isTokenRefused = record.token == nil
            } catch {
                // Nothing is deleted: what was not sent yet is there when its user signs in again.
                return AppSession(root: root, state: State())
            }
        }
        let session = AppSession(root: root, state: state)
        try session.removeFolders(except: state.user?.id)
        return session
    }

    /// Whose data is here, also after the token was refused; `nil` when nobody's is.
    package var user: User? { state.value.user }

    /// The user's token; `nil` when the server does not take it, and when another user is signed in.
    package func token(of user: User) -> String? {
        let state = state.value
        return state.isTokenRefused || state.user?.id != user.id ? nil : state.user?.token
    }

    /// Whether a user is signed in, as far as is known.
    package func isSignedIn(_ user: User) -> Bool { token(of: user) != nil }

    /// Says that the server does not take a token: the user is signed out, and nothing of theirs is lost. What it says of
    /// an older token means nothing.
    @concurrent
    package func refuse(_ token: String) async {
        let isNews = state.update { state in
            guard state.user?.token == token, !state.isTokenRefused else { return false }
            state.isTokenRefused = true
            return true
        }
        guard isNews else { return }
        files.sync {
            let state = state.value
            guard state.isTokenRefused, let user = state.user else { return }
            // Where it cannot be written, the next run learns it from the server.
            try? write(Record(id: user.id, name: user.name, token: nil, imagePath: user.imagePath))
        }
    }

    /// Calls `handler` after each change of who is signed in, until the observation is released.
    package func observe(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        state.observe { _ in handler() }
    }

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
            try write(Record(id: user.id, name: user.name, token: user.token, imagePath: user.imagePath))
            state.update { $0 = State(user: user) }
        }
    }

    /// Logs out: nothing of the user is left on disk. Close what is open in their folder first.
    @concurrent
    package func signOut() async throws {
        try files.sync {
            state.update { $0 = State() }
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            try removeFolders(except: nil)
        }
    }

    private var file: URL { root.appendingPathComponent("session.json") }
    private var users: URL { root.appendingPathComponent("users", isDirectory: true) }

    private func write(_ record: Record) throws {
        try JSONEncoder().encode(record).write(to: file, options: Self.writing)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private func removeFolders(except user: String?) throws {
        guard FileManager.default.fileExists(atPath: users.path) else { return }
        let kept = user.map(Self.folderName)
        for name in try FileManager.default.contentsOfDirectory(atPath: users.path) where name != kept {
            try FolderRemoval()(users.appendingPathComponent(name))
        }
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
