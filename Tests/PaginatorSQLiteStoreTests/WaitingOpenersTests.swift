import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

#if os(Linux)
    /// Several threads that need the file before it is open.
    @Suite("Waiting for the file to be opened")
    struct WaitingOpenersTests {
        /// The calling thread, by the system's number.
        private static var current: String {
            let text = try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
            return text.map { String($0.prefix { $0 != " " }) } ?? ""
        }

        /// Whether a thread of this process waits for something.
        private static func isWaiting(_ thread: String) -> Bool {
            let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8)
            // The state stands behind the name, which is in parentheses.
            return text?.split(separator: ")").last?.split(separator: " ").first == "S"
        }

        @Test func `Whoever waits while an attempt fails gets its error, and whoever comes later tries again`() throws {
            let folder = TemporaryFolder()
            let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 200)
            let other = SideLock(path: folder.file + "-lock", patience: 100)
            try other.take(.exclusive)
            let threads = Handshake<[String]>([])
            let ends = Handshake<[PaginatorError?]>([])
            file.writing.lock()
            for _ in 0..<3 {
                Thread.detachNewThread {
                    let thread = Self.current
                    threads.update { $0.append(thread) }
                    do throws(PaginatorError) {
                        try file.open()
                        ends.update { $0.append(nil) }
                    } catch {
                        ends.update { $0.append(error) }
                    }
                }
            }
            threads.block { $0.count == 3 }
            // All wait for their turn before the first one tries.
            for thread in threads.read({ $0 }) { while !Self.isWaiting(thread) {} }
            file.writing.unlock()
            ends.block { !$0.isEmpty }
            // Whoever tried now would succeed.
            other.release()
            ends.block { $0.count == 3 }
            #expect(ends.read { $0.map { $0?.storeKind } } == [.busy, .busy, .busy])
            try file.open()
            #expect(file.isOpen.value == 1)
        }
    }
#endif
