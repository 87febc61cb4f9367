import ArgumentParser
import Foundation

/// Runs the backend and the app of two users, who can chat with each other in two windows of a browser.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Serve the app in the browser: a backend and two users of it.")

    @Option(help: "The port of the first user's app; the second user's is the next one. 0 takes free ones.")
    var port: UInt16 = 8_080

    @Option(help: "The folder that keeps everything; without one it is kept for this run.")
    var folder: String?

    @Option(help: "How many posts a new backend has.")
    var posts = 3_000

    @Option(help: "How the chats are carried: \(ChatCarrier.allCases.map(\.rawValue).joined(separator: ", ")).")
    var chat = ChatCarrier.either

    @Flag(help: "Write what the apps do, line by line.")
    var log = false

    @Flag(help: "End when the standard input does.")
    var endsWithInput = false

    func run() async throws {
        let root =
            folder.map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "feed-chat-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer {
            if folder == nil {
                do {
                    try FileManager.default.removeItem(at: root)
                } catch {
                    Transcript.say("\(root.path) could not be removed: \(error)")
                }
            }
        }
        let processes = try await ProcessSupervisor(
            root: root, port: port, posts: posts, appOptions: ["--chat", chat.rawValue] + (log ? ["--log"] : []))
        try await processes.start()
        await waitForEnd()
        await processes.stop()
    }

    /// Returns when the user interrupts the command, or its input ends.
    private func waitForEnd() async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { end.finish() }
            source.resume()
            return source
        }
        let input = endsWithInput ? StandardInput.lines() : nil
        let reading = Task {
            guard let input else { return }
            for await _ in input {}
            end.finish()
        }
        for await _ in ended {}
        reading.cancel()
        for source in sources { source.cancel() }
    }
}
