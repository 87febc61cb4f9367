/// One row of a conversation.
package enum TimelineRow: Sendable, Hashable {
    /// A message that the server has accepted.
    case message(Message)
    /// A message that waits to be sent.
    case waiting(MessageRequest)
    /// Messages may be missing here until the server has answered.
    case gap
    /// Messages of the device that are not loaded, before a loaded one.
    case missing(before: Int64)

    /// The text; empty for a gap.
    package var content: String {
        switch self {
        case .message(let message): message.content
        case .waiting(let request): request.content
        case .gap, .missing: ""
        }
    }
}

/// The order of a conversation: accepted messages by the server's id, then a gap while there is one, then waiting
/// messages by the time of writing. Device clocks order only the waiting messages of the same device.
package enum Timeline {
    /// Merges the rows of both tables.
    ///
    /// A request whose message is in `messages` is omitted, because the tables may have been read one after the other.
    ///
    /// - Parameters:
    ///   - messages: in any order, possibly with duplicates, of which the one with the higher status is shown.
    ///   - requests: in any order; drafts are not shown.
    ///   - hasGap: whether the server may have newer messages.
    ///   - gaps: the messages before which others of the device are not loaded.
    ///   - showsEnd: whether `messages` includes the newest one; if not, neither the gap nor waiting messages are
    ///     shown.
    package static func rows(
        messages: some Sequence<Message>, requests: [MessageRequest], hasGap: Bool = false, gaps: Set<Int64> = [],
        showsEnd: Bool = true
    ) -> [TimelineRow] {
        var accepted: [Int64: Message] = [:]
        var settled: Set<String> = []
        for message in messages {
            if let requestId = message.requestId { settled.insert(requestId) }
            accepted[message.messageId] = accepted[message.messageId].map { $0.merged(with: message) } ?? message
        }
        var rows = accepted.values.sorted { $0.messageId < $1.messageId }.flatMap { message -> [TimelineRow] in
            let id = message.messageId
            return gaps.contains(id) ? [.missing(before: id), .message(message)] : [.message(message)]
        }
        guard showsEnd else { return rows }
        if hasGap { rows.append(.gap) }
        let waiting = requests.filter { $0.status != .draft && !settled.contains($0.requestId) }
        return rows + waiting.sorted { $0.precedes($1) }.map(TimelineRow.waiting)
    }
}

extension Array where Element == TimelineRow {
    /// Returns the messages that a range of rows shows, counted from the first message.
    package func positions(in visible: Range<Int>) -> Range<Int> {
        let visible = visible.clamped(to: indices)
        func count(_ rows: ArraySlice<TimelineRow>) -> Int {
            rows.count { if case .message = $0 { true } else { false } }
        }
        let first = count(self[..<visible.lowerBound])
        return first..<(first + count(self[visible]))
    }
}

extension Message {
    /// Merges two versions of one message: the newer content, the higher status. The order of the versions does not
    /// matter.
    package func merged(with other: Message) -> Message {
        var merged = revision >= other.revision ? self : other
        merged.status = max(status, other.status)
        merged.requestId = requestId ?? other.requestId
        if !merged.isDeleted { merged.attachment = attachment ?? other.attachment }
        return merged
    }
}
