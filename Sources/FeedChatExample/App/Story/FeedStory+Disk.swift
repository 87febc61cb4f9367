import Foundation

extension FeedStory {
    /// One process reads and quits; another one starts without a network and shows the same pages.
    func keepOnDisk() async throws {
        transcript.begin("The feed is on disk: a client quits, and starts again offline")
        let folder = FileManager.default.temporaryDirectory.appending(path: "paginator-feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { remove(folder) }
        let store = folder.appending(path: "feed.sqlite").path

        let before = await conditions.requestCount
        let online = try await readInAnotherProcess(url: baseURL.absoluteString, store: store)
        transcript.note("the first process read \(online.count) pages and quit")
        transcript.verify(online.count, equals: 4, "it read four pages")
        transcript.verify(online.allSatisfy { $0.origin == "source" }, "each came from the source")
        await transcript.verify(conditions.requestCount, equals: before + 4, "the server was asked for each")

        // Nothing listens on the discard port, so every request of this process fails at once.
        let offline = try await readInAnotherProcess(url: "http://127.0.0.1:9", store: store)
        transcript.note("the second process started without a server")
        transcript.verify(
            offline.map(\.posts), equals: online.map(\.posts), "it shows the same posts in the same order")
        transcript.verify(
            offline.allSatisfy { $0.origin == "store" }, "each page came from disk",
            found: offline.map(\.origin).joined(separator: ", "))
        await transcript.verify(conditions.requestCount, equals: before + 4, "the server was not asked")
    }

    private struct ReadPage {
        let origin: String
        let posts: String
    }

    /// Runs the reader as a child process and returns what it printed.
    private func readInAnotherProcess(url: String, store: String) async throws -> [ReadPage] {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["reader", "--url", url, "--store", store]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
        transcript.verify(process.terminationStatus, equals: 0, "process \(process.processIdentifier) ended well")
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            return parts.count == 3 ? ReadPage(origin: parts[0], posts: parts[2]) : nil
        }
    }

    private func remove(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            transcript.note("the folder \(folder.path) is left behind: \(error)")
        }
    }
}
