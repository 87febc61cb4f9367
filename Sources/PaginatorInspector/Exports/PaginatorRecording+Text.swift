extension PaginatorRecording {
    /// Returns the recording as lines of text: the subjects, their last states, and a line for each event.
    ///
    /// Complexity: O(events).
    ///
    /// - Parameter withKeys: whether to include user data instead of hashes; false by default.
    public func text(withKeys: Bool = false) -> String {
        let shown = withKeys ? self : hashingKeys()
        var lines = ["Recording of \(shown.info.app.isEmpty ? "a paginator" : shown.info.app), \(shown.info.started)"]
        if shown.lostEvents > 0 { lines.append("\(shown.lostEvents) earlier events are lost.") }
        for subject in shown.subjects {
            lines.append("\(subject.kind.rawValue) \(subject.name)\(subject.isDetached ? " (detached)" : "")")
            if let state = shown.states.last(where: { $0.subject == subject.number }) {
                lines.append("  " + String(decoding: state.bytes, as: UTF8.self))
            }
        }
        let names = shown.textNames
        let subjects = Dictionary(shown.subjects.map { ($0.number, $0.name) }) { first, _ in first }
        lines.append("")
        for event in shown.events {
            lines.append(shown.line(for: event, names, subject: subjects[event.subject] ?? "\(event.subject)"))
        }
        return lines.map(RecordedText.line).joined(separator: "\n") + "\n"
    }

    private func line(for event: RecordedEvent, _ names: [String], subject: String) -> String {
        func name(_ number: UInt32) -> String? { number == 0 ? nil : names[Int(number) - 1] }
        let parts: [(name: String, value: String?)] = [
            ("page", name(event.page)), ("attempt", event.attempt > 0 ? "\(event.attempt)" : nil),
            ("origin", event.origin > 0 ? info.origins[Int(event.origin) - 1] : nil),
            ("cause", event.cause > 0 ? info.causes[Int(event.cause) - 1] : nil),
            ("ms", event.duration.isNaN ? nil : Self.thousandths(event.duration / 1e6)),
            ("count", event.count >= 0 ? "\(event.count)" : nil), ("error", name(event.error)),
            ("detail", name(event.detail)),
        ]
        let start = "\(Self.thousandths(event.time / 1e9)) s  \(subject)  \(info.kinds[Int(event.kind)])"
        return parts.reduce(into: start) { line, part in
            if let value = part.value { line += " \(part.name)=\(value)" }
        }
    }

    private static func thousandths(_ number: Double) -> String { "\((number * 1_000).rounded() / 1_000)" }
}
