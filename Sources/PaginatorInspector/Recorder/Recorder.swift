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
        var subjects = SubjectTable()
        /// The latest time of the events of each subject that is attached.
        var latest: [UInt16: Double] = [:]
        var states: [RecordedState] = []
        /// How many bytes each has in a file, and all of them.
        var stateSizes: [Int] = []
        var stateBytes = 0
        /// The latest state of each subject that is attached, without its time.
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

    /// Returns the number of a new subject; `nil` where 65,535 are attached or named by what is kept, which a note says.
    func add(
        _ kind: RecordedSubject.Kind, _ name: String, at time: Double, _ relate: (inout RecordedSubject) -> Void
    ) -> UInt16? {
        let number = tape.withLock { tape -> UInt16? in
            if tape.subjects.isFull { tape.forgetSubjects() }
            guard let number = tape.subjects.takeNumber() else { return nil }
            var subject = RecordedSubject(number: number, kind: kind, name: name.shortened)
            relate(&subject)
            tape.subjects.all.append(subject)
            tape.subjectChanges += 1
            tape.lastStates[number] = .null
            return number
        }
        if number == nil { note("too much is attached to record \(name)", isFailure: true, at: time) }
        return number
    }

    /// Ends a subject; what it needed to go on is given back.
    func detach(_ subject: UInt16) {
        let last = tape.withLock { tape in
            tape.change(subject) { $0.isDetached = true }
            tape.latest[subject] = nil
            return tape.lastStates.removeValue(forKey: subject)
        }
        withExtendedLifetime(last) {}
    }

    func change(_ subject: UInt16, _ change: (inout RecordedSubject) -> Void) {
        tape.withLock { $0.change(subject, change) }
    }

    func pause(_ isPaused: Bool) { tape.withLock { $0.isPaused = isPaused } }

    func record(_ event: PaginatorEvent, of subject: UInt16, at time: Double) {
        let error = event.error.map(RecordingNames.text(of:))
        tape.withLock { tape in
            guard !tape.isPaused else { return }
            var recorded = RecordedEvent(
                time: time, subject: subject, kind: RecordingNames.number(of: event.kind))
            recorded.duration = event.duration.map { Double($0.wholeNanoseconds) } ?? .nan
            if let page = event.identity { recorded.page = tape.texts.number(of: page) }
            if let error { recorded.error = tape.texts.number(ofError: error) }
            if let detail = event.detail { recorded.detail = tape.texts.number(ofDetail: detail) }
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
            event.detail = tape.texts.number(ofDetail: text)
            if isFailure { event.error = tape.texts.number(ofError: RecordingNames.failure(text)) }
            tape.append(event, maxTextBytes: maxTextBytes)
        }
    }

    /// Adds a state of a subject that is attached; one that is as the last of its subject was adds nothing.
    func record(_ state: JSONValue, of subject: UInt16, at time: Double) {
        // States are compared, measured and released without the lock: an event must not wait for that.
        let last = tape.withLock { $0.isPaused ? nil : $0.lastStates[subject] }
        guard let last, last != state else { return }
        let json = JSONValue.object(
            [
                JSONValue.Member(name: "subject", value: .count(Int(subject))),
                JSONValue.Member(name: "time", value: .number(time)),
            ] + state.memberList)
        let bytes = json.utf8.count
        let dropped = tape.withLock { tape -> [RecordedState] in
            guard !tape.isPaused, tape.lastStates[subject] != nil else { return [] }
            tape.lastStates[subject] = state
            return tape.append(
                RecordedState(time: time, subject: subject, json: json), bytes, maxBytes: maxTextBytes)
        }
        withExtendedLifetime((last, dropped)) {}
    }

    /// Everything that is kept, as a value.
    func recording() -> PaginatorRecording {
        let (log, recording) = tape.withLock { tape -> (EventLog, PaginatorRecording) in
            var recording = PaginatorRecording(info: tape.infoNow)
            recording.texts = tape.texts.texts
            recording.roles = tape.texts.roles
            recording.subjects = tape.subjects.all
            recording.states = tape.states
            return (tape.log, recording)
        }
        var whole = recording
        whole.events = log.events(from: log.first)
        return whole
    }

    /// What has come since, as chunks: all that is kept from the first call on, and where too much has come since the last
    /// one. A call gives one step of about 256 KB; nothing says that there is no more.
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
    /// After so many bytes of texts, or of states, the rest waits for another step.
    private static var stepBytes: Int { 1 << 18 }

    /// One step of what has come since, from where on, and up to where.
    fileprivate func changes(
        since former: Recorder.Cursor?
    ) -> (part: PaginatorRecording, from: Recorder.Cursor, next: Recorder.Cursor) {
        var from = former ?? Recorder.Cursor()
        // What it names may be renumbered, or overwritten.
        if from.generation != generation || from.events < log.first { from = Recorder.Cursor() }
        var next = from
        var part = PaginatorRecording(info: infoNow)
        part.events = events(from: from.events, countingTexts: &next.texts)
        part.texts = Array(texts.texts[from.texts..<next.texts])
        part.roles = Array(texts.roles[from.texts..<next.texts])
        part.subjects = from.subjectChanges == subjectChanges ? [] : subjects.all
        next.generation = generation
        next.events = max(from.events, log.first) + part.events.count
        next.subjectChanges = subjectChanges
        if next.events == log.end {
            var (place, bytes) = (max(0, from.states - firstState), 0)
            let first = place
            while place < states.count, bytes < Self.stepBytes {
                bytes += stateSizes[place]
                place += 1
            }
            part.states = Array(states[first..<place])
            next.states = firstState + place
        }
        return (part, from, next)
    }

    // Texts have their numbers in the order in which events need them.
    private func events(from number: Int, countingTexts count: inout Int) -> [RecordedEvent] {
        let block = log.block(from: number)
        var (end, bytes) = (block.startIndex, 0)
        while end < block.endIndex, bytes < Self.stepBytes {
            let needed = Int(max(block[end].page, block[end].error, block[end].detail))
            while count < needed {
                bytes += texts.texts[count].utf8.count
                count += 1
            }
            end += 1
        }
        return Array(block[..<end])
    }
}

extension Recorder.Tape {
    fileprivate var infoNow: RecordingInfo {
        var info = info
        info.lost += log.first
        return info
    }

    fileprivate mutating func change(_ subject: UInt16, _ change: (inout RecordedSubject) -> Void) {
        guard let index = subjects.all.lastIndex(where: { $0.number == subject }) else { return }
        change(&subjects.all[index])
        subjectChanges += 1
    }

    /// Drops the subjects that have ended and that nothing names any more.
    fileprivate mutating func forgetSubjects() {
        var isNamed = [Bool](repeating: false, count: 1 << 16)
        log.forEach { isNamed[Int($0.subject)] = true }
        for state in states { isNamed[Int(state.subject)] = true }
        // Who begins anew is told of those that are given these numbers.
        if subjects.forget({ !isNamed[Int($0.number)] }) { generation += 1 }
        subjectChanges += 1
    }

    fileprivate mutating func append(_ event: RecordedEvent, maxTextBytes: Int) {
        var event = event
        // Threads bring events of one subject in another order than they took the time.
        event.time = max(event.time, latest[event.subject] ?? event.time)
        if lastStates[event.subject] != nil { latest[event.subject] = event.time }
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

    /// Returns the states that are not kept any more.
    fileprivate mutating func append(_ state: RecordedState, _ bytes: Int, maxBytes: Int) -> [RecordedState] {
        states.append(state)
        stateSizes.append(bytes)
        stateBytes += bytes
        guard stateBytes > maxBytes, states.count > 1 else { return [] }
        let dropped = Array(states.prefix(states.count / 2))
        stateBytes -= stateSizes.prefix(dropped.count).reduce(0, +)
        states.removeFirst(dropped.count)
        stateSizes.removeFirst(dropped.count)
        firstState += dropped.count
        return dropped
    }
}

extension JSONValue {
    fileprivate var memberList: [Member] { if case .object(let members) = self { members } else { [] } }
}
