import Foundation

/// A bad network on loopback between a source and a server: the program `Tests/Network/proxy`, which ends with its input.
final class NetworkProxy: Sendable {
    private let process: ServerProcess

    /// Starts it.
    ///
    /// - Parameters:
    ///   - server: where it passes connections on to.
    ///   - fates: what happens to each connection in turn; to later ones nothing.
    ///   - arguments: of the program, beside these.
    init(to server: LoopbackServer, _ fates: [String] = [], _ arguments: [String] = []) throws {
        process = try ServerProcess(
            Self.folder.appending(path: "proxy"),
            ["--to", "\(server.port)", "--fates", fates.joined(separator: ","), "--seconds", "170"] + arguments)
    }

    /// Changes the weather: `calm`, `storm`, `dark` or `shut`.
    func say(_ weather: String) throws { try process.write(line: weather) }

    var port: Int { process.port }
    var url: String { process.url }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Network")
}
