import Dispatch
package import Foundation

/// The signed-in user, and the user's folder on disk: one for feed and chat.
///
///     root/device                the id of this installation of the app
///     root/session.json          user and token, readable by the owner only
///     root/users/<user>/         everything of the signed-in user: databases, page stores, media
///
/// A server that refuses the token signs the user out, but does not log out: the folder stays, with all pending
/// operations, until the same user signs in again or logs out. All parts that show or send anything observe the
/// session.
///
/// A log-out deletes the session first and then the folder. After a kill in between, the next start completes it:
/// folders of users who are not signed in are deleted when the session is opened.
package final class AppSession: Sendable {
    /// A signed-in user.
    package struct User: Sendable, Hashable, CustomStringConvertible {
        package let id: String
        package let name: String
        /// The secret that authenticates the user; it is in no description, log or error.
        package let token: String
        /// The backend's path of the user's image; `nil` if there is none.
        package let imagePath: String?

        package init(id: String, name: String, token: String, imagePath: String? = nil) {
            self.imagePath = imagePath
            self.id = id
            self.name = name
            self.token = token
        }

        package var description: String { "user \(id)" }
    }

    /// The user and the state of the token.
    private struct State: Sendable, Equatable {
        var user: User?
        /// Whether the server has refused the user's token.
        var isTokenRefused = false
    }

    /// The session's file.
    private struct Record: Codable {
        var id: String
        var name: String
        /// Absent after a refusal, because a refused token is useless.
        var token: String?
        var imagePath: String?
    }

    package let root: URL
    /// The id of this installation of the app, by which the server knows the device after a log-out or a refusal.
    package let device: String
    private let state: Observed<State>
    private let files = DispatchQueue(label: "session")

    private init(root: URL, device: String, state: State) {
        self.root = root
        self.device = device
        self.state = Observed(state, label: "session-observers")
    }

    /// Opens the session that an earlier run left in a folder, which is created if it is missing.
    ///
    /// A damaged session file counts as signed out; the users' folders stay until a user signs in.
    ///
    /// - Throws: an error if the folder cannot be created or the session cannot be read.
    @concurrent
    package static func open(_ root: URL) async throws -> AppSession {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let device = deviceID(in: root)
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
                // Nothing is deleted: unsent operations are still there when their user signs in again.
                return AppSession(root: root, device: device, state: State())
            }
        }
        let session = AppSession(root: root, device: device, state: state)
        try session.removeFolders(except: state.user?.id)
        return session
    }

    private static func deviceID(in root: URL) -> String {
        let file = root.appendingPathComponent("device")
        let made = UUID().uuidString
        do {
            if FileManager.default.fileExists(atPath: file.path),
                let known = UUID(uuidString: String(decoding: try Data(contentsOf: file), as: UTF8.self))
            {
                return known.uuidString
            }
            try Data(made.utf8).write(to: file, options: writing)
        } catch {
            // It lasts until the next start: nobody is kept out for it, as when the disk is full.
        }
        return made
    }

    /// The user whose data is on the device, even after the token was refused; `nil` if there is none.
    package var user: User? { state.value.user }

    /// Returns the user's token; `nil` if the server has refused it, or another user is signed in.
    package func token(of user: User) -> String? {
        let state = state.value
        return state.isTokenRefused || state.user?.id != user.id ? nil : state.user?.token
    }

    /// Returns whether a user is signed in, as far as it is known.
    package func isSignedIn(_ user: User) -> Bool { token(of: user) != nil }

    /// Reports that the server refuses a token: the user is signed out, and no data is lost. Reports about an older
    /// token are ignored.
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
            // If it cannot be written, the next run learns it from the server.
            try? write(Record(id: user.id, name: user.name, token: nil, imagePath: user.imagePath))
        }
    }

    /// Calls `handler` after each sign-in and sign-out, until the observation is released.
    package func observe(_ handler: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        state.observe { _ in handler() }
    }

    /// Returns the folder of a user, which exists while the user is signed in.
    package func folder(of user: User) -> URL {
        users.appendingPathComponent(Self.folderName(user.id), isDirectory: true)
    }

    /// Signs in: deletes the data of other users, and creates the user's folder.
    @concurrent
    package func signIn(_ user: User) async throws {
        try files.sync {
            try removeFolders(except: user.id)
            try FileManager.default.createDirectory(at: folder(of: user), withIntermediateDirectories: true)
            try write(Record(id: user.id, name: user.name, token: user.token, imagePath: user.imagePath))
            state.update { $0 = State(user: user) }
        }
    }

    /// Logs out: no data of the user is left on disk. First close what is open in the folder.
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

    /// Returns a legal file name for any id, different for different ids.
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
