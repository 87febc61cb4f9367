import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps what subjects tell, within bounds: one lock, under which no code of the user runs.
///
/// It keeps no object of the user: an error is two texts of the library, and the name of a type.
final class Recorder: Sendable {
    /// Where a reader of changes stands.
    struct Cursor: Sendable {
        fileprivate var generation = 0
        fileprivate var texts = 0
        fileprivate var events = 0
        fileprivate var subjectChanges = 0
        fileprivate var states = 0
    }

    struct Tape: Sendable {
        var info: RecordingInfo
        var log: EventLog
        var texts = TextTable()
        var subjects: [RecordedSubject] = []
        /// The latest time of each subject's events.
        var latest: [UInt16: Double] = [:]
        var states: [RecordedState] = []
        /// How many bytes each has in a file.
        var stateSizes: [Int] = []
        /// The latest state of each subject, without its time.
        var lastStates: [UInt16: JSONValue] = [:]
        /// The number of the first state that is kept.
        var firstState = 0
        /// What a change of the numbers of texts, and one of subjects, are known by.
        var generation = 1
        var subjectChanges = 0
        var isPaused = false
    }

    private let tape: Guarded<Tape>
    private let maxTextBytes: Int

    init(info: RecordingInfo, maxEvents: Int, maxTextBytes: Int) {
        self.maxTextBytes = max(1, maxTextBytes)
        tape = Guarded(Tape(info: info, log: EventLog(capacity: maxEvents)))
    }

    /// Returns the number of a new subject; `nil` when there have been 65,535.
    func add(_ kind: RecordedSubject.Kind, _ name: String, _ relate: (inout RecordedSubject) -> Void) -> UInt16? {
        tape.withLock { tape in
            guard let number = UInt16(exactly: tape.subjects.count + 1) else { return nil }
            var subject = RecordedSubject(number: number, kind: kind, name: name)
            relate(&subject)
            tape.subjects.append(subject)
            tape.subjectChanges += 1
            return number
        }
    }

    func detach(_ subject: UInt16) {
        tape.withLock { tape in
            guard !tape.subjects[Int(subject) - 1].isDetached else { return }
            tape.subjects[Int(subject) - 1].isDetached = true
            tape.subjectChanges += 1
        }
    }

    func rename(_ subject: UInt16, _ name: String) {
        tape.withLock { tape in
            tape.subjects[Int(subject) - 1].name = name
            tape.subjectChanges += 1
        }
    }

    func pause(_ isPaused: Bool) { tape.withLock { $0.isPaused = isPaused } }

    func record(_ event: PaginatorEvent, of subject: UInt16, at time: Double) {
        tape.withLock { tape in
            if event.kind == .eventsLost { tape.info.lost += max(0, event.count ?? 1) }
            guard !tape.isPaused else { return }
            var recorded = RecordedEvent(
                time: time, subject: subject, kind: RecordingNames.number(of: event.kind))
            recorded.duration = event.duration.map { Double($0.wholeNanoseconds) } ?? .nan
            if let page = event.identity { recorded.page = tape.texts.number(of: page) }
            if let error = event.error { recorded.error = tape.texts.number(of: RecordingNames.text(of: error)) }
            if let detail = event.detail { recorded.detail = tape.texts.number(of: detail) }
            recorded.count = event.count.map { Int32(clamping: max(0, $0)) } ?? -1
            recorded.origin = event.origin.map(RecordingNames.number(of:)) ?? 0
            recorded.cause = event.evictionCause.map(RecordingNames.number(of:)) ?? 0
            recorded.attempt = event.attempt.map { UInt16(clamping: $0) } ?? 0
            tape.append(recorded, maxTextBytes: maxTextBytes)
        }
    }

    /// Adds an event of no subject.
    func note(_ text: String, isFailure: Bool, at time: Double) {
        tape.withLock { tape in
            guard !tape.isPaused else { return }
            var event = RecordedEvent(time: time, subject: 0, kind: RecordingNames.note)
            event.detail = tape.texts.number(of: text)
            if isFailure { event.error = tape.texts.number(of: RecordingNames.failure(text)) }
            tape.append(event, maxTextBytes: maxTextBytes)
        }
    }

    /// Adds a state; one that is as the last of its subject was adds nothing.
    func record(_ state: JSONValue, of subject: UInt16, at time: Double) {
        let json = JSONValue.object(
            [
                JSONValue.Member(name: "subject", value: .count(Int(subject))),
                JSONValue.Member(name: "time", value: .number(time)),
            ] + state.memberList)
        let bytes = json.utf8.count
        tape.withLock { tape in
            guard !tape.isPaused, tape.lastStates[subject] != state else { return }
            tape.lastStates[subject] = state
            tape.append(RecordedState(time: time, subject: subject, json: json), bytes, maxBytes: maxTextBytes)
        }
    }

    /// Everything that is kept, as a value.
    func recording() -> PaginatorRecording {
        tape.withLock { tape in
            var recording = PaginatorRecording(info: tape.infoNow)
            recording.texts = tape.texts.texts
            recording.subjects = tape.subjects
            recording.events = tape.log.events(from: tape.log.first)
            recording.states = tape.states
            return recording
        }
    }

    /// What has come since, as chunks: everything at the first call, and where too much has come since the last one.
    func changes(since cursor: inout Cursor?, withKeys: Bool) -> [UInt8] {
        let former = cursor
        let (part, from, next) = tape.withLock { $0.changes(since: former) }
        cursor = next
        let isFresh = from.generation == 0
        var bytes: [UInt8] = []
        if isFresh, former != nil {
            bytes.append(chunk: .restart, json: .members(["reason": .text("more was recorded than is kept")]))
        }
        part.appendChunks(to: &bytes, withKeys: withKeys, hasInfo: isFresh, firstText: from.texts)
        return bytes
    }
}

extension Recorder.Tape {
    /// What has come since, from where on, and up to where.
    fileprivate func changes(
        since former: Recorder.Cursor?
    ) -> (part: PaginatorRecording, from: Recorder.Cursor, next: Recorder.Cursor) {
        var from = former ?? Recorder.Cursor()
        // What it names may be renumbered, or overwritten.
        if from.generation != generation || from.events < log.first { from = Recorder.Cursor() }
        var part = PaginatorRecording(info: infoNow)
        part.texts = Array(texts.texts[from.texts...])
        part.events = log.events(from: from.events)
        part.subjects = from.subjectChanges == subjectChanges ? [] : subjects
        part.states = Array(states.dropFirst(max(0, from.states - firstState)))
        var next = Recorder.Cursor()
        next.generation = generation
        next.texts = texts.texts.count
        next.events = log.end
        next.subjectChanges = subjectChanges
        next.states = firstState + states.count
        return (part, from, next)
    }
}

extension Recorder.Tape {
    fileprivate var infoNow: RecordingInfo {
        var info = info
        info.lost += log.first
        return info
    }

    fileprivate mutating func append(_ event: RecordedEvent, maxTextBytes: Int) {
        var event = event
        // Threads bring events of one subject in another order than they took the time.
        event.time = max(event.time, latest[event.subject] ?? event.time)
        latest[event.subject] = event.time
        log.append(event)
        if texts.bytes > maxTextBytes { compact(maxTextBytes: maxTextBytes) }
    }

    // Texts that only events of long ago name are dropped, and where that is not enough, events with them.
    private mutating func compact(maxTextBytes: Int) {
        generation += 1
        while true {
            var isUsed = [Bool](repeating: false, count: texts.texts.count + 1)
            log.changeAll { event in
                isUsed[Int(event.page)] = true
                isUsed[Int(event.error)] = true
                isUsed[Int(event.detail)] = true
            }
            let numbers = texts.keep(isUsed)
            log.changeAll { event in
                event.page = numbers[Int(event.page)]
                event.error = numbers[Int(event.error)]
                event.detail = numbers[Int(event.detail)]
            }
            if texts.bytes <= maxTextBytes / 2 || log.count <= 1 { return }
            log.halve()
        }
    }

    fileprivate mutating func append(_ state: RecordedState, _ bytes: Int, maxBytes: Int) {
        states.append(state)
        stateSizes.append(bytes)
        guard stateSizes.reduce(0, +) > maxBytes, states.count > 1 else { return }
        let dropped = states.count / 2
        states.removeFirst(dropped)
        stateSizes.removeFirst(dropped)
        firstState += dropped
    }
}

extension JSONValue {
    fileprivate var memberList: [Member] { if case .object(let members) = self { members } else { [] } }
}
