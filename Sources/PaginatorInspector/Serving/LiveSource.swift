#if Inspector
    /// The source of a server's content: an inspector, until it is released, or a recording.
    struct LiveSource: Sendable {
        /// Returns the next changes as chunks; `nil` after the last, because the inspector is gone.
        let changes: @Sendable (_ cursor: inout Recorder.Cursor?) -> [UInt8]?
        /// Returns a chunk with the answer to a command, which should be JSON.
        let answer: @Sendable (_ command: [UInt8]) -> [UInt8]
        let recording: @Sendable () -> PaginatorRecording?
        /// Whether user data is shown instead of hashes.
        let showsKeys: Bool
        /// An object that a browser retains while it is connected.
        var visitor: @Sendable () -> (any Sendable)? = { nil }
    }

    extension LiveSource {
        init(_ recording: PaginatorRecording) {
            // First, the page learns that there are no changes and no commands.
            var chunks: [UInt8] = []
            chunks.append(chunk: .info, json: .members(["saved": .flag(true)]))
            chunks += recording.chunks(withKeys: true)
            self.init(
                changes: { [chunks] cursor in
                    defer { cursor = cursor ?? Recorder.Cursor() }
                    return cursor == nil ? chunks : []
                },
                answer: { command in
                    .answer(to: command, error: "A saved recording cannot be changed.")
                },
                recording: { recording }, showsKeys: true)
        }
    }

    extension [UInt8] {
        /// The answer to a command that is not performed.
        static func answer(to command: [UInt8], error: String) -> [UInt8] {
            var answer: [UInt8] = []
            // Invalid JSON has no number.
            let id = JSONValue(reading: command)?["id"] ?? .count(0)
            answer.append(
                chunk: .answer, json: .members(["id": id, "ok": .flag(false), "error": .text(error)]))
            return answer
        }

        /// The first chunks that fit into `limit` bytes, at least one.
        func chunks(from start: Int, limit: Int) -> ArraySlice<UInt8> {
            var end = start
            while count - end >= 5 {
                let length = (1...4).reduce(0) { $0 | UInt64(self[end + $1]) << UInt64(8 * ($1 - 1)) }
                let next = end + 5 + Int(Swift.min(length, UInt64(count - end - 5)))
                guard end == start || next - start <= limit else { break }
                end = next
            }
            return self[start..<end]
        }
    }
#endif
