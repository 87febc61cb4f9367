import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// A real backend on loopback, and clients of it that can be killed and started again.
final class ChatWorld: Sendable {
    let backend: BackendServer
    let url: URL
    let folder: URL

    private init(_ backend: BackendServer, url: URL, folder: URL) {
        self.backend = backend
        self.url = url
        self.folder = folder
    }

    static func make(
        seed: UInt64 = 1, _ adjust: (inout BackendConfiguration) -> Void = { _ in }
    ) async throws -> ChatWorld {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = BackendConfiguration()
        configuration.corpusSize = 1
        configuration.seed = seed
        configuration.databasePath = folder.appendingPathComponent("backend.sqlite").path
        // Processes are killed here, and no power is cut.
        configuration.survivesPowerCuts = false
        adjust(&configuration)
        let backend = try BackendServer(configuration)
        return ChatWorld(backend, url: try await backend.start(), folder: folder)
    }

    func end() async {
        await backend.stop()
        // What is left in the temporary folder harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Signs somebody in, on one of their devices.
    func client(
        _ name: String, device: String = "phone", clockOffset: Duration = .zero,
        transport: any ChatTransport = WebSocketTransport(), timeoutLimit: Duration = .seconds(60),
        attemptLimit: Int = OutboxPolicy().attemptLimit, seed: UInt64 = 1
    ) async throws -> ChatPerson {
        let signIn = APIClient(baseURL: url) { nil }
        let session = try await signIn.send("POST", "/v1/sessions", body: ["name": name]).decoded(SignedIn.self)
        let person = ChatPerson(
            world: self, id: "\(session.user.id)", name: name, device: device, token: session.token,
            transport: transport, timeoutLimit: timeoutLimit, attemptLimit: attemptLimit,
            clock: OffsetClock(offset: clockOffset), seed: seed)
        try await person.start()
        return person
    }

    private struct SignedIn: Decodable {
        struct User: Decodable { var id: Int64 }
        var token: String
        var user: User
    }
}

extension ChatServiceConfig {
    /// A chat whose every next attempt comes within milliseconds, and whose process may end but whose power stays.
    static var impatient: ChatServiceConfig {
        var config = ChatServiceConfig()
        config.survivesPowerCuts = false
        config.socket.backoffBase = .milliseconds(2)
        config.socket.backoffCap = .milliseconds(30)
        config.sending.backoffBase = .milliseconds(2)
        config.sending.backoffCap = .milliseconds(30)
        return config
    }
}

/// Somebody with one device.
final class ChatPerson: Sendable {
    let world: ChatWorld
    let id: String
    let name: String
    let device: String
    let token: String
    let transport: any ChatTransport
    let timeoutLimit: Duration
    let attemptLimit: Int
    let clock: OffsetClock
    let environment = AppEnvironment()
    private let seed: UInt64
    private let running = Guarded<ChatService?>(nil)

    init(
        world: ChatWorld, id: String, name: String, device: String, token: String, transport: any ChatTransport,
        timeoutLimit: Duration, attemptLimit: Int, clock: OffsetClock, seed: UInt64
    ) {
        self.world = world
        self.id = id
        self.name = name
        self.device = device
        self.token = token
        self.transport = transport
        self.timeoutLimit = timeoutLimit
        self.attemptLimit = attemptLimit
        self.clock = clock
        self.seed = seed
    }

    var chat: ChatService {
        get throws { try #require(running.withLock { $0 }) }
    }

    var socketURL: URL {
        get throws { try ChatApp.socketURL(of: world.url) }
    }

    func start() async throws {
        var config = ChatServiceConfig.impatient
        config.clock = clock
        config.seed = seed
        config.socket.syncLimit = 20
        config.socket.heartbeatInterval = .milliseconds(200)
        config.sending.attemptLimit = attemptLimit
        let made = try await ChatService.open(
            world.folder.appendingPathComponent("\(name)-\(device).sqlite"), userId: id,
            api: APIClient(baseURL: world.url, timeoutLimit: timeoutLimit) { [token] in token },
            socketURL: try socketURL,
            transport: transport, config: config, token: { [token] in token })
        running.withLock { $0 = made }
        made.follow(environment)
    }

    /// Changes the state of the device, and returns when everybody who follows it was told.
    func change(_ change: @escaping @Sendable (inout AppEnvironment.State) -> Void) async {
        let (told, continuation) = AsyncStream<Void>.makeStream()
        let observation = environment.observeState { _ in continuation.finish() }
        environment.update(change)
        for await _ in told {}
        withExtendedLifetime(observation) {}
    }

    /// Waits until the backend has noticed, on its own time, that the user has no socket any more.
    func waitUntilGone() async throws {
        let user = try #require(Int64(id))
        while await world.backend.chat.socketCount(of: user) > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Stops in the middle of whatever it is doing.
    func kill() async throws {
        try await chat.shutDown()
        running.withLock { $0 = nil }
    }

    func history(with other: ChatPerson) async throws -> [Message] {
        try await chat.database.read { read in
            try read.history(.after(0), with: other.id, limit: 100_000).messages
        }
    }

    /// Waits until the database is as wanted; changes in quick succession are looked at once.
    func waitUntil(
        line: UInt = #line, _ isMet: @escaping @Sendable (ChatTransaction) throws -> Bool
    ) async throws {
        let database = try chat.database
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let subscription = database.changes.subscribe { _ in continuation.yield() }
        defer { subscription.cancel() }
        continuation.yield()
        for await _ in changes {
            if try await database.read(isMet) { return }
        }
        throw StateNotReached("what \(name)'s database should have, line \(line)")
    }

    /// Waits until what the socket tells is as wanted.
    func waitUntilStatus(line: UInt = #line, _ isMet: (ChatUpdates) -> Bool) async throws {
        let updates = try chat.updates
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let subscription = updates.observe { continuation.yield() }
        defer { subscription.cancel() }
        continuation.yield()
        for await _ in changes where isMet(updates) { return }
        throw StateNotReached("what \(name)'s socket should tell, line \(line)")
    }

    /// Waits until events come as they happen, and nothing is missing.
    func waitUntilLive(line: UInt = #line) async throws {
        try await waitUntilStatus(line: line) { $0.status.isLive && !$0.status.hasGap && $0.status.catchUps > 0 }
    }
}

/// The system's clock, with a wall clock that is set wrong.
struct OffsetClock: PaginatorClock {
    private let system = SystemPaginatorClock()
    let offset: Duration

    init(offset: Duration) { self.offset = offset }

    var now: PaginatorInstant { system.now }
    var wallTime: Date { system.wallTime.addingTimeInterval(offset.inSeconds) }
    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { system.makeTimer(handler) }
}
