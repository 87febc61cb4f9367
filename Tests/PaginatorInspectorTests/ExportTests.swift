import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorInspector

@Suite struct ExportTests {
    /// Two loads, of which one fails after a second, and a hit.
    private static func recording() throws -> PaginatorRecording {
        let rig = InspectorRig()
        try rig.perform(#"{"do":"faults","subject":2,"latency":1000}"#)
        rig.fetch("0")
        rig.clock.advance(by: .seconds(1))
        rig.executor.runAll()
        try rig.perform(#"{"do":"faults","subject":2,"error":"fatal"}"#)
        rig.fetch("10")
        rig.fetch("0")
        return rig.inspector.recording()
    }

    @Test func `the trace has each load with its attempt inside it, and counters`() throws {
        let data = try Self.recording().chromeTrace(withKeys: true)
        let trace = try #require(JSONValue(reading: data))
        let events = try #require(trace["traceEvents"]?.list)
        func slices(_ phase: String, _ name: String) -> [JSONValue] {
            events.filter { $0["ph"]?.text == phase && $0["name"]?.text == name }
        }
        let (start, end) = (try #require(slices("b", "load 0#10").first), try #require(slices("e", "load 0#10").first))
        #expect(start["ts"]?.number == 0 && end["ts"]?.number == 1e6)
        let attempt = try #require(slices("b", "attempt 1").first)
        #expect(attempt["id"] == start["id"] && attempt["ts"]?.number == 0)
        #expect(
            slices("e", "load 10#10").first?["args"]?["error"]?.text?.hasPrefix("sourceFailed.ForcedFailure") == true)
        #expect(slices("C", "hit ratio").last?["args"]?["percent"]?.number.map { Int($0) } == 33)
        #expect(slices("M", "process_name").count == 2)
        // Each slice that begins ends, and not before.
        for begin in events where begin["ph"]?.text == "b" {
            let ends = events.filter { $0["ph"]?.text == "e" && $0["id"] == begin["id"] && $0["name"] == begin["name"] }
            #expect(ends.count == 1)
            #expect((ends.first?["ts"]?.number ?? -1) >= (begin["ts"]?.number ?? 0))
        }
    }

    @Test func `each process of the trace has a name, also that of what belongs to nothing attached`() throws {
        let rig = InspectorRig()
        rig.fetch("0")
        rig.inspector.note("The door opened")
        let data = rig.inspector.recording().chromeTrace(withKeys: true)
        let events = try #require(JSONValue(reading: data)?["traceEvents"]?.list)
        var names: [Double: String] = [:]
        for event in events where event["ph"]?.text == "M" && event["name"]?.text == "process_name" {
            let number = try #require(event["pid"]?.number)
            #expect(names[number] == nil, "named once")
            names[number] = try #require(event["args"]?["name"]?.text)
        }
        let note = try #require(events.first { $0["name"]?.text == "note" }?["pid"]?.number)
        #expect(names[note]?.isEmpty == false)
        for event in events { #expect(try names[#require(event["pid"]?.number)] != nil) }
    }

    @Test func `a slice begins before it ends, and those of a load share its track`() throws {
        let data = try Self.recording().chromeTrace(withKeys: true)
        let events = try #require(JSONValue(reading: data)?["traceEvents"]?.list)
        var open: [[JSONValue?]: Int] = [:]
        for event in events {
            let slice = [event["pid"], event["cat"], event["id"], event["name"]]
            switch event["ph"]?.text {
            case "b": open[slice, default: 0] += 1
            case "e":
                open[slice, default: 0] -= 1
                #expect(open[slice, default: 0] >= 0, "\(event) stands before its beginning")
            default: break
            }
        }
        #expect(!open.isEmpty && open.values.allSatisfy { $0 == 0 })
    }

    @Test func `a page that was noted anew is the same page`() throws {
        var info = RecordingInfo()
        info.kinds = ["loadStarted", "loadEnded"]
        var recording = PaginatorRecording(info: info)
        let text = PageIdentity(key: "0", pageSize: 10).json.string
        (recording.texts, recording.roles) = ([text, "between", text], [.page, .detail, .page])
        for (kind, page) in [(UInt8(0), UInt32(1)), (1, 3)] {
            var event = RecordedEvent(time: Double(kind) * 1e9, subject: 1, kind: kind)
            event.page = page
            recording.events.append(event)
        }
        let events = try #require(JSONValue(reading: recording.chromeTrace(withKeys: true))?["traceEvents"]?.list)
        #expect(events.map { $0["ph"]?.text } == ["b", "e"])
        #expect(events[0]["id"] == events[1]["id"])
    }

    @Test func `the text has a line for each event`() throws {
        let recording = try Self.recording()
        let lines = recording.text(withKeys: true).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("1.0 s  Feed  loadEnded page=0#10") && $0.contains("ms=1000.0") })
        #expect(lines.contains { $0.contains("error=sourceFailed.ForcedFailure: ") })
        #expect(lines.contains("paginator Feed"))
        #expect(lines.count { $0.contains(" s  Feed  ") } == recording.eventCount)
    }

    @Test func `exports hash keys unless they are told not to`() throws {
        let rig = InspectorRig()
        rig.fetch("secret-key")
        rig.paginator.clear(key: "secret-key")
        rig.executor.runAll()
        let recording = rig.inspector.recording()
        #expect(recording.text(withKeys: true).contains("secret-key"))
        for text in [recording.text(), String(decoding: recording.chromeTrace(), as: UTF8.self)] {
            #expect(!text.contains("secret-key"))
            #expect(text.contains(PageIdentity(key: "secret-key", pageSize: 10).nameWithoutKey))
        }
    }

    @Test func `a saved recording is opened as it was`() throws {
        let recording = try Self.recording()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pagrec")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        try recording.write(to: file, withKeys: true)
        let opened = try PaginatorRecording(contentsOf: file)
        #expect(
            opened.text(withKeys: true).split(separator: "\n").count
                == recording.text(withKeys: true).split(separator: "\n").count)
        #expect(opened.chromeTrace(withKeys: true) == recording.chromeTrace(withKeys: true))
    }

    @Test func `no text of a user begins a line of its own`() throws {
        let rig = InspectorRig()
        rig.inspector.note("one\n2.0 s  Feed  loadEnded\u{2028}\u{1B}[31m")
        let lines = rig.inspector.recording().text(withKeys: true).split(whereSeparator: \.isNewline)
        #expect(lines.count { $0.contains("loadEnded") } == 1)
        #expect(!lines.contains { $0.hasPrefix("2.0") || $0.contains("\u{1B}") })
    }

    @Test func `the trace has waits in the queue and back-offs with their durations`() throws {
        let rig = InspectorRig()
        func report(_ kind: PaginatorEvent.Kind, at seconds: Double, _ duration: Double) {
            var event = PaginatorEvent(
                kind, at: PaginatorInstant(nanoseconds: Int64(seconds * 1e9)),
                identity: PageIdentity(key: "0", pageSize: 10))
            event.duration = .seconds(duration)
            rig.paginator.engine.report(event)
        }
        report(.loadStarted, at: 0, 0)
        report(.attemptStarted, at: 2, 2)
        report(.retryScheduled, at: 3, 4)
        report(.loadEnded, at: 9, 9)
        let data = rig.inspector.recording().chromeTrace(withKeys: true)
        let events = try #require(JSONValue(reading: data)?["traceEvents"]?.list)
        func times(_ name: String) -> [Double?] {
            events.filter { $0["name"]?.text == name }.map { ($0["ts"]?.number).map { $0 / 1e6 } }
        }
        #expect(times("queue") == [0, 2])
        #expect(times("back-off") == [3, 7])
        #expect(times("load 0#10") == [0, 9])
        #expect(Set(events.filter { $0["ph"]?.text == "b" }.map { $0["id"]?.whole }).count == 1)
    }
}
