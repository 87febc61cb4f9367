/// What an inspector has recorded: events, states, and what they are about.
///
/// It is a value that can be saved, opened again, attached to a bug report and looked at in the browser.
///
/// ```swift
/// let recording = inspector.recording()
/// try recording.write(to: recordingFile)
/// ```
///
/// Keys, scopes, tags and messages of errors are user data. They leave the process as hashes, unless a call says
/// `withKeys: true`.
public struct PaginatorRecording: Sendable {
    var info: RecordingInfo
    /// The text with the number n at the place n - 1.
    var texts: [String] = []
    /// What each text is, at the same places.
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

    // Without one it may be anything.
    func role(ofText index: Int) -> TextRole { roles.indices.contains(index) ? roles[index] : .detail }

    /// How many events it has.
    public var eventCount: Int { events.count }

    /// The names of what was attached, in the order in which it was.
    public var names: [String] { subjects.map(\.name) }

    /// How many events were lost, because the memory for them was full.
    public var lostEvents: Int { info.lost }

    /// Whether user data has been replaced by hashes, as in a file that was saved without keys.
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

/// What a browser is told anew whenever it changes, and files do not have.
struct LiveFacts: Sendable, Hashable {
    var lost = 0
    var isPaused = false
    /// What is forced on paginators, by the numbers of those.
    var faults: [UInt16: PaginatorInspectorFaults.Setting] = [:]
}

/// Something that was attached.
struct RecordedSubject: Sendable, Hashable {
    /// What it is, as files name it.
    enum Kind: String, Sendable {
        case paginator, list, scheduler, store
    }

    var number: UInt16
    var kind: Kind
    var name: String
    /// The paginator of a list, where that is attached, too.
    var paginator: UInt16?
    /// The scheduler of a paginator, where that is attached, too.
    var scheduler: UInt16?
    var isDetached = false
    /// When it was detached, in nanoseconds since the recording began.
    var end: Double?
}

/// The state of a subject at one time, as files have it: its tree of values would take four times as much memory.
struct RecordedState: Sendable, Hashable {
    let time: Double
    let subject: UInt16
    /// An object of JSON, which begins with both of them.
    let bytes: [UInt8]

    init(time: Double, subject: UInt16, bytes: [UInt8]) {
        (self.time, self.subject, self.bytes) = (time, subject, bytes)
    }

    init(_ json: JSONValue, time: Double, of subject: UInt16) {
        let head = JSONValue.members(["subject": .count(Int(subject)), "time": .number(time)])
        self.init(time: time, subject: subject, bytes: JSONValue.object(head.memberList + json.memberList).utf8)
    }

    /// The value, which is made anew with each call.
    var json: JSONValue { JSONValue(reading: bytes) ?? .null }

    /// How much memory it takes.
    var cost: Int { bytes.count + 2 * MemoryLayout<Self>.size }

    /// Whether it tells the same at another time: what follows the time is the same.
    func isSame(as other: RecordedState) -> Bool { rest == other.rest }

    private var rest: ArraySlice<UInt8> {
        let comma = UInt8(ascii: ",")
        return bytes.drop { $0 != comma }.dropFirst().drop { $0 != comma }
    }
}
