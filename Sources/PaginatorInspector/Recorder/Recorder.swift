import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the subjects' events and states within bounds, behind one lock, under which no user code runs.
///
/// It retains no object of the user: an error is stored as two texts of the library and a type name.
final class Recorder: Sendable {
    /// The position of a reader of changes.
    struct Cursor: Sendable {
        fileprivate var generation = 0
        /// The indices, among all texts ever, of the first text sent and of the next one.
        fileprivate var firstText = 0
        fileprivate var texts = 0
        fileprivate var events = 0
        fileprivate var subjectChanges = 0
        fileprivate var states = 0
        fileprivate var facts: LiveFacts?
    }

    struct Tape: Sendable {
        var info: RecordingInfo
        var log: EventLog
        var texts: TextTable
        var subjects = SubjectTable()
        /// The attached subjects.
        var attached: Set<UInt16> = []
        /// What was last recorded of each subject with a number.
        var marks: [UInt16: Mark] = [:]
        /// Whether there were events since states were recorded.
        var hasNews = false
        var states: [RecordedState] = []
        /// The sum of their costs.
        var stateBytes = 0
        /// The number of the first state kept.
        var firstState = 0
        /// Incremented when numbers of subjects are reused; `subjectChanges` when a subject changes.
        var generation = 1
        var subjectChanges = 0
        var isPaused = false
    }

    /// What was last recorded of a subject: the latest time of its events, and the numbers of the last event and state.
    struct Mark: Sendable {
        var time = -Double.infinity
        var event = -1
        var state = -1
        var stateTime = -Double.infinity
    }

    private let tape: Guarded<Tape>
    private let maxTextBytes: Int
    /// Called with the first event after states were recorded, possibly under locks.
    private let onNews: @Sendable () -> Void

    init(
        info: RecordingInfo, maxEvents: Int, maxTextBytes: Int, onNews: @escaping @Sendable () -> Void = {}
    ) {
        self.maxTextBytes = max(1, maxTextBytes)
        self.onNews = onNews
        tape = Guarded(
            Tape(info: info, log: EventLog(capacity: maxEvents), texts: TextTable(maxBytes: maxTextBytes)))
    }

    /// Returns the number of a new subject; `nil`, with a note, if 65,535 are attached or still referred to.
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
            tape.attached.insert(number)
            tape.marks[number] = Mark()
            return number
        }
        if number == nil { note("too much is attached to record \(name)", isFailure: true, at: time) }
        return number
    }

    /// Ends a subject.
    func detach(_ subject: UInt16, at time: Double) {
        tape.withLock { tape in
            tape.change(subject) { ($0.isDetached, $0.end) = (true, time) }
            tape.attached.remove(subject)
        }
    }

    func change(_ subject: UInt16, _ change: (inout RecordedSubject) -> Void) {
        tape.withLock { $0.change(subject, change) }
    }

    func pause(_ isPaused: Bool) { tape.withLock { $0.isPaused = isPaused } }

    func record(_ event: PaginatorEvent, of subject: UInt16, at time: Double) {
        let error = event.error.map(RecordingNames.text(of:))
        let (gone, isNews) = tape.withLock { tape -> (TextTable?, Bool) in
            guard !tape.isPaused else { return (nil, false) }
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
            return (tape.append(recorded), tape.takeNews())
        }
        withExtendedLifetime(gone) {}
        if isNews { onNews() }
    }

    /// Makes the next event the first one after states were recorded.
    func statesAreTaken() { tape.withLock { $0.hasNews = false } }

    /// Has the effect of an event: states are recorded some time later.
    func expectStates() {
        if tape.withLock({ $0.takeNews() }) { onNews() }
    }

    /// Adds an event without a subject.
    func note(_ text: String, isFailure: Bool, at time: Double) {
        let gone = tape.withLock { tape -> TextTable? in
            guard !tape.isPaused else { return nil }
            var event = RecordedEvent(time: time, subject: 0, kind: RecordingNames.note)
            event.detail = tape.texts.number(ofDetail: text)
            if isFailure { event.error = tape.texts.number(ofError: RecordingNames.failure(text)) }
            return tape.append(event)
        }
        withExtendedLifetime(gone) {}
    }

    /// Adds a state of an attached subject, unless it equals the last one.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    func record(_ state: JSONValue, of subject: UInt16, at time: Double) -> Bool {
        // States are compared, measured and released without the lock, so that events need not wait.
        let state = RecordedState(state, time: time, of: subject)
        let last = tape.withLock { $0.lastState(of: subject) }
        if let last, last.isSame(as: state) { return false }
        let dropped = tape.withLock { tape -> [RecordedState]? in
            // A state that another thread read later may have been recorded first.
            guard !tape.isPaused, tape.attached.contains(subject), tape.mark(state: time, of: subject) else {
                return nil
            }
            return tape.append(state, maxBytes: maxTextBytes)
        }
        withExtendedLifetime((last, dropped)) {}
        return dropped != nil
    }

    /// Everything recorded, as a value.
    func recording() -> PaginatorRecording {
        let (log, texts, recording) = tape.withLock { tape -> (EventLog, TextTable, PaginatorRecording) in
            var recording = PaginatorRecording(info: tape.infoNow)
            recording.subjects = tape.subjects.all
            recording.states = tape.states
            return (tape.log, tape.texts, recording)
        }
        var whole = recording
        whole.add(texts.texts(texts.firstText..<texts.endText))
        whole.events = log.events(firstText: texts.firstText)
        return whole
    }

    /// The next changes as chunks: everything kept for the first call, and if the reader fell too far behind. A call
    /// returns one step of about 256 KB; the end is not marked.
    ///
    /// - Parameter faults: the faults forced on paginators now.
    func changes(
        since cursor: inout Cursor?, withKeys: Bool, faults: [UInt16: PaginatorInspectorFaults.Setting] = [:]
    ) -> [UInt8] {
        let former = cursor
        var (part, from, next, isPaused) = tape.withLock { tape in
            let (part, from, next) = tape.changes(since: former)
            return (part, from, next, tape.isPaused)
        }
        let facts = LiveFacts(lost: part.info.lost, isPaused: isPaused, faults: faults)
        next.facts = facts
        cursor = next
        let isFresh = from.generation == 0
        var bytes: [UInt8] = []
        if isFresh, former != nil {
            bytes.append(chunk: .restart, json: .members(["reason": .text("more was recorded than is kept")]))
        }
        part.appendChunks(
            to: &bytes, withKeys: withKeys, hasInfo: isFresh, firstText: from.texts - from.firstText)
        // A new reader has not been told that there is none.
        if facts != former?.facts ?? LiveFacts(lost: facts.lost) { bytes.append(chunk: .info, json: facts.json) }
        return bytes
    }
}

extension Recorder.Tape {
    /// The number of bytes of texts or states after which the rest waits for another step.
    private static var stepBytes: Int { 1 << 18 }

    /// The changes of one step, with the positions before and after it.
    fileprivate func changes(
        since former: Recorder.Cursor?
    ) -> (part: PaginatorRecording, from: Recorder.Cursor, next: Recorder.Cursor) {
        var from = former ?? Recorder.Cursor()
        // Data that the reader refers to may be dropped, and text numbers are limited.
        if from.generation != generation || from.events < log.first || from.texts - from.firstText > Int32.max {
            from = Recorder.Cursor()
            (from.firstText, from.texts) = (texts.firstText, texts.firstText)
        }
        var next = from
        var part = PaginatorRecording(info: infoNow)
        part.events = events(from: from.events, firstText: from.firstText, countingTexts: &next.texts)
        part.add(texts.texts(from.texts..<next.texts))
        part.subjects = from.subjectChanges == subjectChanges ? [] : subjects.all
        next.generation = generation
        next.events = max(from.events, log.first) + part.events.count
        next.subjectChanges = subjectChanges
        if next.events == log.end {
            var (place, bytes) = (max(0, from.states - firstState), 0)
            let first = place
            while place < states.count, bytes < Self.stepBytes {
                bytes += states[place].cost
                place += 1
            }
            part.states = Array(states[first..<place])
            next.states = firstState + place
        }
        return (part, from, next)
    }

    // Texts are sent in the order in which events need them.
    private func events(
        from number: Int, firstText: Int, countingTexts count: inout Int
    ) -> [RecordedEvent] {
        let block = log.block(from: number)
        var (events, bytes) = ([RecordedEvent](), 0)
        for event in block.events {
            let needed = block.firstText + Int(max(event.page, event.error, event.detail))
            while count < needed, bytes < Self.stepBytes {
                bytes += texts.bytes(at: count)
                count += 1
            }
            if count < needed { break }
            events.append(event.naming(block.firstText - firstText))
        }
        return events
    }
}

extension Recorder.Tape {
    fileprivate var infoNow: RecordingInfo {
        var info = info
        info.lost += log.first
        return info
    }

    fileprivate mutating func takeNews() -> Bool {
        defer { hasNews = true }
        return !hasNews
    }

    fileprivate mutating func change(_ subject: UInt16, _ change: (inout RecordedSubject) -> Void) {
        guard let index = subjects.all.lastIndex(where: { $0.number == subject }) else { return }
        change(&subjects.all[index])
        subjectChanges += 1
    }

    /// Drops ended subjects that nothing refers to. Complexity: O(subjects).
    fileprivate mutating func forgetSubjects() {
        let (firstEvent, firstState, marks) = (log.first, firstState, marks)
        let isAnew = subjects.forget { subject in
            guard let mark = marks[subject.number] else { return true }
            return mark.event < firstEvent && mark.state < firstState
        }
        // A reader that begins again learns of the subjects with reused numbers.
        if isAnew { generation += 1 }
        let left = Set(subjects.all.map(\.number))
        self.marks = marks.filter { left.contains($0.key) }
        subjectChanges += 1
    }

    /// Returns what must be released without the lock. Complexity: O(1), occasionally O(blocks).
    fileprivate mutating func append(_ event: RecordedEvent) -> TextTable? {
        var event = event
        if let index = marks.index(forKey: event.subject) {
            // Threads may record events of a subject in another order than that of their times.
            event.time = max(event.time, marks.values[index].time)
            marks.values[index].time = event.time
            marks.values[index].event = log.end
        }
        log.append(event, firstText: texts.firstTextNow)
        guard texts.isFull else { return nil }
        let former = texts
        log.drop(before: texts.turnOver(firstEvent: log.first, nextEvent: log.end))
        return former
    }

    /// Records a state's time; returns whether it is later than the last one.
    fileprivate mutating func mark(state time: Double, of subject: UInt16) -> Bool {
        guard let index = marks.index(forKey: subject), marks.values[index].stateTime <= time else { return false }
        marks.values[index].stateTime = time
        marks.values[index].state = firstState + states.count
        return true
    }

    /// The latest state of a subject, if it is kept.
    fileprivate func lastState(of subject: UInt16) -> RecordedState? {
        guard let number = marks[subject]?.state, number >= firstState else { return nil }
        return states[number - firstState]
    }

    /// Returns the states that are dropped.
    fileprivate mutating func append(_ state: RecordedState, maxBytes: Int) -> [RecordedState] {
        states.append(state)
        stateBytes += state.cost
        guard stateBytes > maxBytes, states.count > 1 else { return [] }
        let dropped = Array(states.prefix(states.count / 2))
        stateBytes -= dropped.reduce(0) { $0 + $1.cost }
        states.removeFirst(dropped.count)
        firstState += dropped.count
        return dropped
    }
}
