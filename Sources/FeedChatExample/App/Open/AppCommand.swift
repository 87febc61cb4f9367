import AppFoundation
import ArgumentParser
import ChatClient
import ExampleBackend
import FlyingFox
import Foundation

/// The app of one user in its own process, which the browser shows. It may be killed at any time: actions of the user
/// are on disk before they are confirmed.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Run the app of one user, to be opened in a browser.")

    @Option(help: "Where the backend is.")
    var backend: String

    @Option(help: "The user; signed in at the first run.")
    var user: String

    @Option(help: "The folder that keeps everything.")
    var folder: String

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: UInt16 = 8_080

    @Option(help: "How the chat is carried: \(ChatCarrier.allCases.map(\.rawValue).joined(separator: ", ")).")
    var chat = ChatCarrier.either

    @Flag(help: "Write what the app does, line by line.")
    var log = false

    func run() async throws {
        guard let baseURL = URL(string: backend) else { throw ValidationError("\(backend) is no address") }
        let model = try await AppModel(
            user: user, folder: URL(filePath: folder), baseURL: baseURL, transport: chat.transport,
            log: log ? AppLog { Transcript.say("log \($0.rawValue) \($1): \($2)") } : nil)
        let server = HTTPServer(config: try .loopback(port: port))
        let (serving, taken, url) = try await server.serve()
        await server.appendRoute("*", to: AppHandler(gate: AppGate(port: taken), model: model))
        Transcript.say("ok ready \(url.absoluteString)/")
        // The parent process keeps the input open as long as it lives.
        for await line in StandardInput.lines() { await model.handle(line: line) }
        serving.cancel()
        try await limited(to: .seconds(5)) { try await model.close() }
    }
}

/// The transport of chat messages.
enum ChatCarrier: String, ExpressibleByArgument, CaseIterable {
    /// A WebSocket, or server-sent events if it is refused.
    case either
    case socket
    case events

    var transport: any ChatTransport {
        switch self {
        case .either: FallbackTransport()
        case .socket: WebSocketTransport()
        case .events: EventStreamTransport()
        }
    }
}

/// Reads standard input line by line.
enum StandardInput {
    /// Returns the lines until the input ends, read on a separate thread.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
