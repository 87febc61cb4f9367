import Foundation

/// A bad network on loopback between a source and a server: the program `Tests/Network/proxy`, which ends with its input.
final class NetworkProxy: Sendable {
    let port: Int
    private let process: Process
    private let input: Pipe

    /// Starts it.
    ///
    /// - Parameters:
    ///   - server: where it passes connections on to.
    ///   - fates: what happens to each connection in turn; to later ones nothing.
    ///   - arguments: of the program, beside these.
    init(to server: LoopbackServer, _ fates: [String] = [], _ arguments: [String] = []) throws {
        let (input, output, process) = (Pipe(), Pipe(), Process())
        process.executableURL = Self.folder.appending(path: "proxy")
        process.arguments =
            ["--to", "\(server.port)", "--fates", fates.joined(separator: ","), "--seconds", "170"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw NoPort() }
        self.port = port
        self.process = process
        self.input = input
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Changes the weather: `calm`, `storm`, `dark` or `shut`.
    func say(_ weather: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(weather)\n".utf8)) }

    var url: String { "http://127.0.0.1:\(port)" }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Network")

    struct NoPort: Error {}
}
