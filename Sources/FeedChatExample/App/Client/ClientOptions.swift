import AppFoundation
import ArgumentParser
import Foundation

/// The options of a client in its own process.
struct ClientOptions: ParsableArguments {
    @Option(help: "Where the backend is.")
    var url: String

    @Option(help: "The folder that keeps everything.")
    var root: String

    @Option(help: "The user to sign in; without one the user of the last run is used.")
    var signIn: String?

    @Flag(help: "Start without a connection.")
    var offline = false

    func baseURL() throws -> URL {
        guard let baseURL = URL(string: url) else { throw ValidationError("\(url) is no address") }
        return baseURL
    }

    var rootFolder: URL { URL(filePath: root) }

    func makeEnvironment() -> AppEnvironment { AppEnvironment(AppEnvironment.State(link: offline ? .none : .good)) }
}

/// A client that executes commands from standard input, line by line. It answers each line with one line, `ok` and
/// details, after the result is on disk. It may be killed at any time.
@MainActor protocol LineClient {
    /// Executes a line and returns the answer; `nil` at the end.
    func answer(_ line: String) async throws -> String?
}

extension LineClient {
    /// Reports that it is ready, and answers until the input ends or an answer takes 50 seconds.
    func serve() async throws {
        Transcript.say("ok ready")
        for await line in StandardInput.lines() {
            guard let answer = try await limited(to: .seconds(50), { try await answer(line) }) else { return }
            Transcript.say("ok \(answer)")
        }
    }
}
