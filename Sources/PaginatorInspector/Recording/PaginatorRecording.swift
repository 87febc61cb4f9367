/// A recording of an inspector: events, states, and their subjects.
///
/// It is a value that can be saved, opened, attached to a bug report and shown in the browser.
///
/// ```swift
/// let recording = inspector.recording()
/// try recording.write(to: recordingFile)
/// ```
///
/// Keys, scopes, tags and error messages are user data. They are exported as hashes, unless a call says `withKeys:
/// true`.
public struct PaginatorRecording: Sendable {
    var info: RecordingInfo
    /// The text with the number n is at index n - 1.
    var texts: [String] = []
    /// The role of each text, by the same indices.
    var roles: [TextRole] = []
    var subjects: [RecordedSubject] = []
    var events: [RecordedEvent] = []
    var states: [RecordedState] = []

    init(info: RecordingInfo) {
        self.info = info
    }

    mutating func add(_ added: [(text: String, role: TextRole)]) {
        texts += added.map(\.text)
        roles += added.map(\.role)
    }

    // A text without a role may be anything.
    func role(ofText index: Int) -> TextRole { roles.indices.contains(index) ? roles[index] : .detail }

    /// The number of events.
    public var eventCount: Int { events.count }

    /// The names of the subjects, in the order of attachment.
    public var names: [String] { subjects.map(\.name) }

    /// The number of events dropped because memory was full.
    public var lostEvents: Int { info.lost }

    /// Whether user data is replaced by hashes, as in a file saved without keys.
    public var hasHashedKeys: Bool { info.keysHashed }
}

/// The beginning of a recording.
struct RecordingInfo: Sendable, Hashable {
    static let version = 1

    var app = ""
    var started = ""
    var clock = "system"
    var seed: UInt64?
    var keysHashed = false
    var lost = 0
    var kinds: [String] = []
    var origins: [String] = []
    var causes: [String] = []
}

/// Facts that a browser gets whenever they change, and that files do not have.
struct LiveFacts: Sendable, Hashable {
    var lost = 0
    var isPaused = false
    /// The faults forced on paginators, by their numbers.
    var faults: [UInt16: PaginatorInspectorFaults.Setting] = [:]
}

/// An attached subject.
struct RecordedSubject: Sendable, Hashable {
    /// The kind of subject, as files name it.
    enum Kind: String, Sendable {
        case paginator, list, scheduler, store
    }

    var number: UInt16
    var kind: Kind
    var name: String
    /// The paginator of a list, if it is attached, too.
    var paginator: UInt16?
    /// The scheduler of a paginator, if it is attached, too.
    var scheduler: UInt16?
    var isDetached = false
    /// When it was detached, in nanoseconds since the recording began.
    var end: Double?
}

/// A subject's state at one time, in its encoded form: a tree of values would take four times the memory.
struct RecordedState: Sendable, Hashable {
    let time: Double
    let subject: UInt16
    /// A JSON object, which begins with both of them.
    let bytes: [UInt8]

    init(time: Double, subject: UInt16, bytes: [UInt8]) {
        (self.time, self.subject, self.bytes) = (time, subject, bytes)
    }

    init(_ json: JSONValue, time: Double, of subject: UInt16) {
        let head = JSONValue.members(["subject": .count(Int(subject)), "time": .number(time)])
        self.init(time: time, subject: subject, bytes: JSONValue.object(head.memberList + json.memberList).utf8)
    }

    /// The decoded value, decoded again by each call.
    var json: JSONValue { JSONValue(reading: bytes) ?? .null }

    /// The memory that it occupies.
    var cost: Int { bytes.count + 2 * MemoryLayout<Self>.size }

    /// Whether both are equal except for their times.
    func isSame(as other: RecordedState) -> Bool { rest == other.rest }

    private var rest: ArraySlice<UInt8> {
        let comma = UInt8(ascii: ",")
        return bytes.drop { $0 != comma }.dropFirst().drop { $0 != comma }
    }
}
