#if Inspector
    /// What a server shows: what an inspector has, as long as that is there, or a recording.
    struct LiveSource: Sendable {
        /// The chunks that came since; `nil` when there will be no more, because the inspector is gone.
        let changes: @Sendable (_ cursor: inout Recorder.Cursor?) -> [UInt8]?
        /// A chunk with the answer to a command, which is JSON or should be.
        let answer: @Sendable (_ command: [UInt8]) -> [UInt8]
        let recording: @Sendable () -> PaginatorRecording?
        /// Whether texts of the user may be shown as they are.
        let showsKeys: Bool
        /// What whoever looks keeps as long as they do.
        var visitor: @Sendable () -> (any Sendable)? = { nil }
    }

    extension LiveSource {
        init(_ recording: PaginatorRecording) {
            // The page learns first that there is nothing to wait for and nothing to do.
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
        /// The answer to a command that is not done.
        static func answer(to command: [UInt8], error: String) -> [UInt8] {
            var answer: [UInt8] = []
            // What is no JSON has no number.
            let id = JSONValue(reading: command)?["id"] ?? .count(0)
            answer.append(
                chunk: .answer, json: .members(["id": id, "ok": .flag(false), "error": .text(error)]))
            return answer
        }

        /// The chunks at the front, as many as fit in `limit` bytes, and at least one.
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
