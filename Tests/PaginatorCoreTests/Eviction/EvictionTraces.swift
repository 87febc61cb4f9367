import Foundation
import Testing

/// Cache traces with known hit counts, which lie outside the package; tests that need them are skipped without them.
enum EvictionTraces {
    struct Row: Sendable, CustomTestStringConvertible {
        let trace: String
        let requests: Int
        let keys: Int
        let capacity: Int
        let lru: Int
        let fifo: Int
        let lifo: Int
        let optimum: Int

        var testDescription: String { "\(trace) at \(capacity)" }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["PAGINATOR_TRACES"] { return URL(fileURLWithPath: path) }
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/traces")
    }()

    static let arePresent = FileManager.default.fileExists(atPath: folder.appendingPathComponent("README.md").path)

    /// The largest trace takes a while in a debug build.
    static let areLong = ProcessInfo.processInfo.environment["PAGINATOR_LONG_TESTS"] == "1"

    /// The rows of the table in the folder's README.
    static let rows: [Row] = {
        guard let text = try? String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let numbers = cells.dropFirst().compactMap { Int($0) }
            guard cells.count == 8, numbers.count == 7 else { return nil }
            return Row(
                trace: cells[0], requests: numbers[0], keys: numbers[1], capacity: numbers[2], lru: numbers[3],
                fifo: numbers[4], lifo: numbers[5], optimum: numbers[6])
        }
    }()

    static let rowsToRun = rows.filter { areLong || $0.requests < 600_000 }

    /// The keys of a trace in order, numbered from 0 as they first appear.
    static func keys(of trace: String) throws -> [Int] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        process.arguments = ["-dc", folder.appendingPathComponent("\(trace).txt.gz").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "gzip failed on \(trace)") }
        var numbers: [UInt64: Int] = [:]
        var keys: [Int] = []
        var word: UInt64 = 0
        var isEmpty = true
        data.withUnsafeBytes { bytes in
            for byte in bytes {
                if byte == 0x0a || byte == 0x0d {
                    if !isEmpty { keys.append(numbers.number(of: word)) }
                    (word, isEmpty) = (0, true)
                } else {
                    word = (word &* 1_099_511_628_211) ^ UInt64(byte)
                    isEmpty = false
                }
            }
        }
        if !isEmpty { keys.append(numbers.number(of: word)) }
        return keys
    }
}

extension [UInt64: Int] {
    fileprivate mutating func number(of word: UInt64) -> Int {
        if let number = self[word] { return number }
        self[word] = count
        return count - 1
    }
}
