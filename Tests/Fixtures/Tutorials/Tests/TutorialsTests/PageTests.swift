import Foundation
import Testing

/// The programs of docs/tutorials do what the pages say that they print.
@Suite struct PageTests {
    @Test(arguments: [
        ("first-list", ["FirstList1", "FirstList2", "FirstList3", "FirstList"]),
        ("offline-feed", ["OfflineFeed", "OfflineFeed offline"]), ("chat-screen", ["Chat"]),
    ])
    func `each program prints what its page says`(page: String, programs: [String]) throws {
        // The offline feed keeps its pages where it is started: each test has a folder of its own.
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutorials-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let said = try Programs.outputs(of: page)
        #expect(said.count == programs.count)
        for (program, output) in zip(programs, said) {
            #expect(try Programs.run(program, in: folder) == output, "\(program) of \(page)")
        }
    }
}

/// The programs of this package, and what the pages say of them.
enum Programs {
    /// The blocks of a page that stand right behind the line "It prints:".
    static func outputs(of page: String) throws -> [String] {
        let root = URL(filePath: #filePath).appending(path: "../../../../../..").standardized
        let text = try String(contentsOf: root.appending(path: "docs/tutorials/\(page).md"), encoding: .utf8)
        return text.components(separatedBy: "It prints:\n\n```\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    /// Runs a program with its arguments in a folder, and returns what it has printed.
    static func run(_ command: String, in directory: URL) throws -> String {
        let words = command.split(separator: " ").map(String.init)
        let process = Process()
        process.executableURL = folder.appending(path: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = directory
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command)")
        return String(decoding: output, as: UTF8.self)
    }

    /// Where the programs are: beside the tests' own.
    private static var folder: URL {
        let candidates = [Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
        let isThere = { (url: URL) in FileManager.default.isExecutableFile(atPath: url.appending(path: "Chat").path) }
        return candidates.first(where: isThere) ?? candidates[0]
    }
}
