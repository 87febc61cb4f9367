#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PaginatorRecording {
    /// Returns the recording as a trace for Perfetto and Chrome: a process for each subject and one for the app's
    /// notes, a track for each page with its loads, attempts, queue waits and back-offs, and counters for the hit ratio
    /// and the queue.
    ///
    /// The format is "Trace Event Format" of the Chromium project. Complexity: O(events).
    ///
    /// - Parameter withKeys: whether to include user data instead of hashes; false by default.
    public func chromeTrace(withKeys: Bool = false) -> Data {
        var trace = ChromeTrace(withKeys ? self : hashingKeys())
        return Data(trace.bytes())
    }
}

/// Converts events to slices: some begin and end, others state their duration at the end.
private struct ChromeTrace {
    private struct Track: Hashable {
        let subject: UInt16
        let page: UInt32
    }

    private static let waits = ["retryScheduled": "back-off", "sourcePaused": "pause of the source"]

    private let recording: PaginatorRecording
    private let kinds: [String]
    private var events: [UInt8] = []
    /// The running loads of a page, the latest last.
    private var openLoads: [Track: [Int]] = [:]
    private var lastSlice = 0
    private var hits: [UInt16: (found: Int, asked: Int)] = [:]
    private let names: [String]
    /// The number of each text, by that of the first equal one: a text is recorded again after it was dropped.
    private let numbers: [UInt32]

    init(_ recording: PaginatorRecording) {
        self.recording = recording
        kinds = recording.info.kinds
        names = recording.textNames
        var known: [String: UInt32] = [:]
        numbers = zip(recording.texts, UInt32(1)...).map { text, number in
            defer { if known[text] == nil { known[text] = number } }
            return known[text] ?? number
        }
    }

    mutating func bytes() -> [UInt8] {
        // Notes and events of simulated worlds belong to the app, not to a subject.
        if recording.events.contains(where: { $0.subject == 0 }) {
            addProcess(0, recording.info.app.isEmpty ? "Recording" : recording.info.app)
        }
        for subject in recording.subjects { addProcess(Int(subject.number), subject.name) }
        for event in recording.events { add(event) }
        return Array(#"{"displayTimeUnit":"ms","traceEvents":["#.utf8) + events + Array("]}".utf8)
    }

    private mutating func addProcess(_ number: Int, _ name: String) {
        add([
            "ph": .text("M"), "name": .text("process_name"), "pid": .count(number),
            "args": .members(["name": .text(name)]),
        ])
    }

    private mutating func add(_ event: RecordedEvent) {
        let kind = kinds[Int(event.kind)]
        let track = Track(subject: event.subject, page: event.page == 0 ? 0 : numbers[Int(event.page) - 1])
        switch kind {
        case "loadStarted":
            let slice = newSlice()
            openLoads[track, default: []].append(slice)
            begin("load \(name(event.page))", slice, event, at: event.time)
        case "loadEnded":
            // The earlier load ends first, unless a later one had no waiter left; a recording may begin in between.
            if let slice = openLoads[track]?.first {
                openLoads[track]?.removeFirst()
                finish("load \(name(event.page))", slice, event, at: event.time)
            } else {
                slice("load \(name(event.page))", newSlice(), event)
            }
        case "attemptEnded":
            slice("attempt \(event.attempt)", loadOrNew(track), event)
        case "storeHit", "storeMiss", "callbackDelivered", "decoded", "validated":
            slice(kind, loadOrNew(track), event)
        case "attemptStarted":
            if event.duration > 0 { slice("queue", loadOrNew(track), event) }
            if event.count >= 0 { count("queue", ["loads": .count(Int(event.count))], event) }
        case "retryScheduled", "throttled", "sourcePaused":
            // These state their duration at the beginning; a refusal has none.
            guard event.duration > 0 else { return instant(kind, event) }
            let slice = kind == "sourcePaused" ? newSlice() : loadOrNew(track)
            begin(Self.waits[kind] ?? kind, slice, event, at: event.time)
            finish(Self.waits[kind] ?? kind, slice, event, at: event.time + event.duration)
        case "memoryHit", "memoryMiss":
            var seen = hits[event.subject] ?? (0, 0)
            seen = (seen.found + (kind == "memoryHit" ? 1 : 0), seen.asked + 1)
            hits[event.subject] = seen
            count("hit ratio", ["percent": .number(100 * Double(seen.found) / Double(seen.asked))], event)
        default: instant(kind, event)
        }
    }

    private mutating func instant(_ kind: String, _ event: RecordedEvent) {
        add([
            "ph": .text("i"), "s": .text("p"), "name": .text(kind), "pid": .count(Int(event.subject)),
            "tid": .count(0), "ts": .number(event.time / 1_000), "args": details(of: event),
        ])
    }

    private mutating func newSlice() -> Int {
        lastSlice += 1
        return lastSlice
    }

    private mutating func loadOrNew(_ track: Track) -> Int {
        openLoads[track]?.last ?? newSlice()
    }

    private mutating func slice(_ name: String, _ slice: Int, _ event: RecordedEvent) {
        begin(name, slice, event, at: event.time - (event.duration.isNaN ? 0 : event.duration))
        finish(name, slice, event, at: event.time)
    }

    private mutating func begin(_ name: String, _ slice: Int, _ event: RecordedEvent, at time: Double) {
        add([
            "ph": .text("b"), "cat": .text("page"), "id": .count(slice), "name": .text(name),
            "pid": .count(Int(event.subject)), "tid": .count(0), "ts": .number(time / 1_000),
        ])
    }

    private mutating func finish(_ name: String, _ slice: Int, _ event: RecordedEvent, at time: Double) {
        add([
            "ph": .text("e"), "cat": .text("page"), "id": .count(slice), "name": .text(name),
            "pid": .count(Int(event.subject)), "tid": .count(0), "ts": .number(time / 1_000),
            "args": details(of: event),
        ])
    }

    private mutating func count(_ name: String, _ values: KeyValuePairs<String, JSONValue?>, _ event: RecordedEvent) {
        add([
            "ph": .text("C"), "name": .text(name), "pid": .count(Int(event.subject)), "ts": .number(event.time / 1_000),
            "args": .members(values),
        ])
    }

    private mutating func add(_ members: KeyValuePairs<String, JSONValue?>) {
        if !events.isEmpty { events.append(UInt8(ascii: ",")) }
        JSONValue.members(members).write(to: &events)
    }

    private func name(_ text: UInt32) -> String { text == 0 ? "" : names[Int(text) - 1] }

    private func details(of event: RecordedEvent) -> JSONValue {
        let info = recording.info
        return .members([
            "page": event.page > 0 ? .text(name(event.page)) : nil,
            "error": event.error > 0 ? .text(name(event.error)) : nil,
            "detail": event.detail > 0 ? .text(name(event.detail)) : nil,
            "origin": event.origin > 0 ? .text(info.origins[Int(event.origin) - 1]) : nil,
            "cause": event.cause > 0 ? .text(info.causes[Int(event.cause) - 1]) : nil,
            "attempt": event.attempt > 0 ? .count(Int(event.attempt)) : nil,
            "count": event.count >= 0 ? .count(Int(event.count)) : nil,
        ])
    }
}
