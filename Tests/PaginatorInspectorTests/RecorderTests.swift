import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

@Suite struct RecorderTests {
    private static func event(_ number: Int, key: String? = nil) -> PaginatorEvent {
        var event = PaginatorEvent(
            .memoryHit, at: PaginatorInstant(nanoseconds: Int64(number)),
            identity: key.map { PageIdentity(key: $0, pageSize: 10) })
        event.count = number
        return event
    }

    private static func recorder(maxEvents: Int = 1_000_000, maxTextBytes: Int = 1_000_000) -> Recorder {
        var info = RecordingInfo()
        info.kinds = RecordingNames.kinds
        info.origins = RecordingNames.origins
        info.causes = RecordingNames.causes
        let recorder = Recorder(info: info, maxEvents: maxEvents, maxTextBytes: maxTextBytes)
        _ = recorder.add(.paginator, "Feed", at: 0) { _ in }
        return recorder
    }

    /// All that there is to tell, in as many steps as it takes.
    private static func allChanges(_ recorder: Recorder, _ cursor: inout Recorder.Cursor?) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let step = recorder.changes(since: &cursor, withKeys: true)
            if step.isEmpty { return bytes }
            #expect(step.count < 1_000_000)
            bytes += step
        }
    }

    /// The texts of the pages of events, by the numbers in the events.
    private static func pages(_ recording: PaginatorRecording) -> [String] {
        recording.events.map { $0.page == 0 ? "" : recording.texts[Int($0.page) - 1] }
    }

    @Test func `the last events are kept, at least as many as asked for, and the others are counted`() {
        let recorder = Self.recorder(maxEvents: 10_000)
        for number in 0..<50_000 { recorder.record(Self.event(number), of: 1, at: Double(number)) }
        let recording = recorder.recording()
        #expect(recording.eventCount >= 10_000 && recording.eventCount <= 10_000 + 2 * EventLog.blockSize)
        #expect(recording.events.map(\.count) == (50_000 - Int32(recording.eventCount)..<50_000).map { $0 })
        #expect(recording.lostEvents == 50_000 - recording.eventCount)
    }

    @Test func `texts stay within their bytes, and events still name theirs`() {
        let recorder = Self.recorder(maxTextBytes: 20_000)
        for number in 0..<10_000 {
            recorder.record(Self.event(number, key: "key-\(number)"), of: 1, at: Double(number))
        }
        let recording = recorder.recording()
        let bytes = recording.texts.reduce(0) { $0 + $1.utf8.count + 64 }
        #expect(bytes <= 20_000 + 200)
        #expect(recording.lostEvents == 10_000 - recording.eventCount)
        // A quarter goes at once, and no more.
        #expect(bytes > 20_000 / 2)
        #expect(recording.events.last?.count == 9_999)
        for (event, page) in zip(recording.events, Self.pages(recording)) {
            #expect(page == PageIdentity(key: "key-\(event.count)", pageSize: 10).json.string)
        }
    }

    @Test func `texts that come again and again cost no event`() {
        let recorder = Self.recorder(maxTextBytes: 20_000)
        // Less than a quarter of the bytes.
        for number in 0..<20_000 { recorder.record(Self.event(number, key: "key-\(number % 30)"), of: 1, at: 0) }
        let recording = recorder.recording()
        #expect(recording.eventCount == 20_000 && recording.texts.count == 30)
    }

    @Test func `who follows is told the texts of events only, in steps, also of very many`() throws {
        let recorder = Self.recorder()
        for number in 0..<8_000 {
            recorder.record(Self.event(number, key: String(repeating: "k", count: 100) + "\(number)"), of: 1, at: 0)
        }
        var cursor: Recorder.Cursor?
        let bytes = [UInt8].recordingStart + Self.allChanges(recorder, &cursor)
        let followed = try PaginatorRecording(data: Data(bytes))
        #expect(followed.data(withKeys: true) == recorder.recording().data(withKeys: true))
        #expect(followed.eventCount < 8_000)
    }

    @Test func `a page has one text however often it comes`() {
        let recorder = Self.recorder()
        for number in 0..<100 { recorder.record(Self.event(number, key: "\(number % 2)"), of: 1, at: 0) }
        #expect(recorder.recording().texts.count == 2)
    }

    @Test func `times of a subject never run backwards`() {
        let recorder = Self.recorder()
        for time in [5.0, 3, 9, 8] { recorder.record(Self.event(0), of: 1, at: time) }
        #expect(recorder.recording().events.map(\.time) == [5, 5, 9, 9])
    }

    @Test func `who follows the changes has at the end what a recording has, also after too much`() throws {
        for maxTextBytes in [2_000, 1_000_000] {
            var random = SeededRandom(seed: 7)
            let recorder = Self.recorder(maxEvents: 5_000, maxTextBytes: maxTextBytes)
            var cursor: Recorder.Cursor?
            var bytes = [UInt8].recordingStart
            var number = 0
            for round in 0..<40 {
                for _ in 0..<Int.random(in: 0..<400, using: &random) {
                    recorder.record(Self.event(number, key: "\(number % 300)"), of: 1, at: Double(number))
                    number += 1
                }
                if round % 10 == 5 { recorder.record(.members(["round": .count(round)]), of: 1, at: Double(number)) }
                bytes += Self.allChanges(recorder, &cursor)
            }
            let followed = try PaginatorRecording(data: Data(bytes))
            let recording = recorder.recording()
            // The reader may still have what is not kept any more.
            let counts = recording.events.map(\.count)
            #expect(Array(followed.events.map(\.count).suffix(counts.count)) == counts)
            #expect(Self.pages(followed).suffix(counts.count) == Self.pages(recording)[...])
            #expect(followed.states.last?.json == recording.states.last?.json)
            #expect(followed.subjects == recording.subjects)
        }
    }

    @Test func `who is far behind begins anew`() throws {
        let recorder = Self.recorder(maxEvents: 4_096)
        var cursor: Recorder.Cursor?
        var bytes = [UInt8].recordingStart + Self.allChanges(recorder, &cursor)
        for number in 0..<100_000 { recorder.record(Self.event(number), of: 1, at: Double(number)) }
        let later = Self.allChanges(recorder, &cursor)
        #expect(later.first == ChunkType.restart.rawValue)
        bytes += later
        #expect(try PaginatorRecording(data: Data(bytes)).events.last?.count == 99_999)
        #expect(recorder.changes(since: &cursor, withKeys: true) == [])
    }

    @Test func `a state that has not changed is not kept again`() {
        let recorder = Self.recorder()
        func tell(_ count: Double, at time: Double) {
            recorder.record(.object([JSONValue.Member(name: "count", value: .number(count))]), of: 1, at: time)
        }
        tell(1, at: 1)
        tell(1, at: 2)
        tell(2, at: 3)
        #expect(recorder.recording().states.map(\.time) == [1, 3])
    }

    @Test func `states stay within their bytes, and each is told as long as its subject is`() {
        let recorder = Self.recorder(maxTextBytes: 20_000)
        _ = recorder.add(.store, "Disk", at: 0) { _ in }
        recorder.record(.members(["pages": .count(7)]), of: 2, at: 0)
        for round in 0..<1_000 {
            recorder.record(.members(["mode": .text(String(repeating: "m", count: 100) + "\(round)")]), of: 1, at: 1)
        }
        // It is as it was, but what was said of it is no more.
        recorder.record(.members(["pages": .count(7)]), of: 2, at: 2)
        let states = recorder.recording().states
        #expect(states.reduce(0) { $0 + $1.bytes.count } < 20_000)
        #expect(states.count > 20_000 / 250 / 2)
        #expect(states.last?.json["pages"]?.whole == 7 && states.dropLast().allSatisfy { $0.subject == 1 })
    }

    @Test func `who follows is told what is lost, paused and forced, whenever that changes`() throws {
        let recorder = Self.recorder(maxEvents: 1)
        var cursor: Recorder.Cursor?
        let forced: [UInt16: PaginatorInspectorFaults.Setting] = [
            1: .init(failure: .fatal, latency: .milliseconds(250), conditions: .offline)
        ]
        func told(_ faults: [UInt16: PaginatorInspectorFaults.Setting] = [:]) throws -> [JSONValue] {
            var (infos, place) = ([JSONValue](), 0)
            while true {
                let step = recorder.changes(since: &cursor, withKeys: true, faults: faults)
                if step.isEmpty { return infos }
                place = 0
                while place < step.count {
                    let length = (0..<4).reduce(0) { $0 | Int(step[place + 1 + $1]) << (8 * $1) }
                    let payload = step[(place + 5)..<(place + 5 + length)]
                    if step[place] == ChunkType.info.rawValue {
                        infos.append(try #require(JSONValue(reading: payload)))
                    }
                    place += 5 + length
                }
            }
        }
        #expect(try told().count == 1)
        #expect(try told().isEmpty)
        recorder.pause(true)
        #expect(try told(forced).map { $0["paused"]?.flag } == [true])
        #expect(try told(forced).isEmpty)
        recorder.pause(false)
        let changed = try #require(try told([:]).first)
        #expect(changed["paused"]?.flag == false && changed["faults"]?.list == [])
        let faults = try #require(try told(forced).first?["faults"]?.list.first)
        #expect(faults["subject"]?.whole == 1 && faults["error"]?.text == "fatal" && faults["latency"]?.whole == 250)
        #expect(faults["offline"]?.flag == true && faults["lowPower"]?.flag == false)
        _ = try told()
        var lost: [Int?] = []
        for round in 1...5 {
            for number in 0..<EventLog.blockSize / 2 { recorder.record(Self.event(round * number), of: 1, at: 0) }
            lost += try told().map { $0["version"] == nil ? $0["lost"]?.whole : nil }
        }
        #expect(lost == [EventLog.blockSize])
        // Who comes now is told at once.
        cursor = nil
        #expect(try told(forced).last?["faults"]?.list.count == 1)
    }

    @Test func `threads that record at once lose nothing`() {
        let recorder = Self.recorder(maxTextBytes: 10_000_000)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<5_000 {
                recorder.record(Self.event(thread * 5_000 + number, key: "\(number)"), of: 1, at: 0)
            }
        }
        let recording = recorder.recording()
        #expect(Set(recording.events.map(\.count)) == Set(0..<20_000))
        #expect(recording.eventCount == 20_000 && recording.texts.count == 5_000)
    }

    @Test func `what a subject needed goes when it ends, and its number is given anew only when nothing names it`() {
        let recorder = Self.recorder(maxEvents: 1)
        recorder.record(.members(["round": .count(1)]), of: 1, at: 0)
        recorder.record(Self.event(0), of: 1, at: 0)
        var numbers: [UInt16?] = []
        for round in 0..<70_000 {
            let number = recorder.add(.list, "Round \(round)", at: 0) { _ in }
            numbers.append(number)
            if let number { recorder.detach(number, at: 0) }
        }
        #expect(numbers.allSatisfy { $0 != nil && $0 != 1 })
        let subjects = recorder.recording().subjects
        #expect(subjects.count < 10_000)
        #expect(subjects.first?.name == "Feed" && subjects.last?.name == "Round 69999")
        recorder.detach(1, at: 1)
        recorder.record(.members(["round": .count(2)]), of: 1, at: 1)
        #expect(recorder.recording().states.count == 1)
    }

    @Test func `where every number is in use a note says so`() {
        let recorder = Self.recorder()
        let others = (1..<Int(UInt16.max)).map { _ in recorder.add(.list, "", at: 0) { _ in } }
        #expect(others.allSatisfy { $0 != nil })
        #expect(recorder.add(.list, "Rows", at: 7) { _ in } == nil)
        let recording = recorder.recording()
        #expect(recording.kinds == ["note"])
        #expect(recording.texts.first == "too much is attached to record Rows")
    }

    @Test func `long texts are kept in part, and those that differ stay apart`() {
        let recorder = Self.recorder()
        for end in ["a", "b"] {
            let key = String(repeating: "k", count: 100_000) + end
            recorder.record(Self.event(0, key: key), of: 1, at: 0)
            recorder.note(key, isFailure: true, at: 0)
        }
        let texts = recorder.recording().texts
        #expect(texts.count == 6 && Set(texts).count == 6)
        #expect(texts.allSatisfy { $0.utf8.count < 5_000 })
    }
}
