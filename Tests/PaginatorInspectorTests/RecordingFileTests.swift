import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

@Suite struct RecordingFileTests {
    private static func sample() -> PaginatorRecording {
        var info = RecordingInfo()
        info.app = "News"
        info.started = "2026-01-01T00:00:00Z"
        info.seed = .max
        info.kinds = Array(RecordingNames.kinds.prefix(3))
        info.origins = RecordingNames.origins
        info.causes = RecordingNames.causes
        info.lost = 3
        var recording = PaginatorRecording(info: info)
        recording.subjects = [RecordedSubject(number: 1, kind: .paginator, name: "Feed")]
        recording.texts = [
            PageIdentity(key: "secret \"key\"", pageSize: 20, scope: "anna").json.string, "useButRefresh",
        ]
        recording.roles = [.page, .detail]
        for number in 0..<3 {
            var event = RecordedEvent(time: Double(number) * 1e9, subject: 1, kind: 2)
            (event.page, event.detail, event.duration, event.count) = (1, 2, 5e6, Int32(number))
            (event.origin, event.cause, event.attempt) = (3, 1, 65_535)
            recording.events.append(event)
        }
        recording.states = [
            RecordedState(
                .members(["mode": .text("running"), "tags": .texts(["anna"])]), time: 7, of: 1)
        ]
        return recording
    }

    @Test func `what was written is read as it was`() throws {
        let recording = Self.sample()
        let read = try PaginatorRecording(data: recording.data(withKeys: true))
        #expect(read.info == recording.info)
        #expect(read.texts == recording.texts)
        #expect(read.subjects == recording.subjects)
        #expect(read.states == recording.states)
        #expect(read.data(withKeys: true).count == recording.data(withKeys: true).count)
        #expect(read.events.map(\.time) == [0, 1e9, 2e9])
        #expect(read.events.map(\.count) == [0, 1, 2])
        #expect(
            read.events.allSatisfy { $0.duration == 5e6 && $0.attempt == 65_535 && $0.origin == 3 && $0.cause == 1 })
    }

    @Test func `an event has the bytes that the page in the browser expects`() {
        var event = RecordedEvent(time: 1, subject: 0x0201, kind: 7)
        (event.page, event.error, event.detail, event.count) = (0x0403_0201, 5, 6, -1)
        (event.origin, event.cause, event.attempt) = (1, 2, 0x0504)
        event.duration = 2
        var bytes: [UInt8] = []
        bytes.append(events: [event])
        let head: [UInt8] = [0x45, 44, 0, 0, 0, 1, 0, 0, 0]
        let times: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x40]
        let texts: [UInt8] = [1, 2, 3, 4, 5, 0, 0, 0, 6, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(bytes == head + times + texts + [1, 2, 7, 1, 2, 0, 4, 5])
    }

    @Test func `nothing of a user leaves without being allowed to`() throws {
        let data = Self.sample().data()
        let text = String(decoding: data, as: UTF8.self)
        for secret in ["secret", "anna"] { #expect(!text.contains(secret)) }
        let read = try PaginatorRecording(data: data)
        #expect(read.hasHashedKeys)
        #expect(read.texts.last == "useButRefresh")
        #expect(read.texts.first?.hasPrefix(#"{"hash":"#) == true)
        #expect(read.data(withKeys: true) == data)
    }

    @Test func `user data that is JSON is user data`() throws {
        let key = #"{"lastId":48213,"name":"anna","anna@x.org":true}"#
        let rig = InspectorRig()
        func report(_ kind: PaginatorEvent.Kind, _ change: (inout PaginatorEvent) -> Void) {
            var event = PaginatorEvent(kind, at: .zero, identity: PageIdentity(key: key, pageSize: 10, scope: key))
            change(&event)
            rig.paginator.engine.report(event)
        }
        report(.repeatedKey) { $0.detail = key }
        report(.repeatedKey) { $0.detail = #"{"code":"anna","message":"anna"}"# }
        report(.repeatedKey) { $0.detail = #"{"hash":"anna@x.org"}"# }
        report(.loadEnded) { $0.error = PaginatorError(.sourceFailed, key) }
        rig.inspector.note(key, isFailure: true)
        rig.fetch(key)
        let recording = rig.inspector.recording()
        // Also after it was saved with keys, which tells nothing of what each text is.
        for shown in [recording, try PaginatorRecording(data: recording.data(withKeys: true))] {
            #expect(shown.text(withKeys: true).contains("48213"))
            for text in [
                String(decoding: shown.data(), as: UTF8.self), shown.text(),
                String(decoding: shown.chromeTrace(), as: UTF8.self),
            ] {
                for secret in ["lastId", "48213", "anna", "x.org"] { #expect(!text.contains(secret), "\(secret)") }
                #expect(text.contains("sourceFailed"))
            }
        }
    }

    @Test func `a file that ends too early is refused, wherever it ends`() throws {
        let data = Self.sample().data(withKeys: true)
        // Between two chunks it is whole.
        var ends: Set<Int> = []
        var place = 8
        while place < data.count {
            place += 5 + (0..<4).reduce(0) { $0 | Int(data[place + 1 + $1]) << (8 * $1) }
            ends.insert(place)
        }
        for length in 0..<data.count where !ends.contains(length) {
            let error = #expect(throws: PaginatorRecordingError.self) {
                try PaginatorRecording(data: data.prefix(length))
            }
            #expect(error?.reason == .truncated, "after \(length) bytes")
        }
    }

    @Test func `bytes that are wrong never end the process`() throws {
        var random = SeededRandom(seed: 21)
        let good = [UInt8](Self.sample().data(withKeys: true))
        for _ in 0..<500 {
            var bytes = good
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // Either is good: some changes are of a text.
            _ = Result { try PaginatorRecording(data: Data(bytes)).hashingKeys() }
        }
        for _ in 0..<500 {
            let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Result { try PaginatorRecording(data: Data([UInt8].recordingStart + bytes)) }
        }
    }

    @Test func `another file is told from a broken one`() {
        func reason(_ bytes: [UInt8]) -> PaginatorRecordingError.Reason? {
            #expect(throws: PaginatorRecordingError.self) { try PaginatorRecording(data: Data(bytes)) }?.reason
        }
        #expect(reason(Array("%PDF-1.7 and more".utf8)) == .foreign)
        #expect(reason([]) == .truncated)
        #expect(reason([UInt8].recordingStart) == .truncated)
        var newer = [UInt8].recordingStart
        newer.append(chunk: .info, json: .members(["version": .count(2)]))
        #expect(reason(newer) == .newer)
        var unknown = [UInt8].recordingStart
        unknown.append(chunk: .info, json: RecordingInfo().json)
        unknown.append(events: [RecordedEvent(time: 0, subject: 1, kind: 200)])
        #expect(reason(unknown) == .damaged)
    }

    @Test func `what follows a restart stands alone`() throws {
        var bytes = Self.sample().data(withKeys: true)
        var second: [UInt8] = []
        second.append(chunk: .restart, json: .members(["reason": .text("")]))
        second.append(chunk: .info, json: RecordingInfo().json)
        second.append(text: "one", number: 1)
        bytes.append(contentsOf: second)
        let read = try PaginatorRecording(data: bytes)
        #expect(read.texts == ["one"])
        #expect(read.eventCount == 0)
    }
}
