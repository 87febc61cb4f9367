import Foundation
import PaginatorCore
import PaginatorInspector
import Testing

/// What goes over the connection of a page in the browser.
@Suite(.timeLimit(.minutes(1))) struct LiveTests {
    @Test func `a browser gets what is kept, and then what comes`() async throws {
        let inspected = try await Inspected()
        await inspected.fetch("20")
        let browser = try await inspected.browser()

        let kept = try await browser.chunks { $0.type == "E" }
        #expect(kept.first?.type == "I")
        #expect(kept.first?.text.contains(#""clock":"system""#) == true)
        #expect(kept.filter { $0.type == "A" }.map(\.text).joined().contains(#""name":"Numbers""#))
        #expect(kept.contains { $0.type == "N" && $0.text.contains(#""key":"20""#) })
        #expect(!kept.contains { $0.type == "R" })

        await inspected.fetch("730")
        let came = try await browser.chunks(untilText: #""key":"730""#)
        #expect(!came.contains { $0.type == "I" || $0.type == "R" })
        #expect(!came.contains { $0.type == "N" && $0.text.contains(#""key":"20""#) })
    }

    @Test func `two browsers both get everything`() async throws {
        let inspected = try await Inspected()
        let browsers = [try await inspected.browser(), try await inspected.browser()]
        await inspected.fetch("40")
        for browser in browsers {
            let chunks = try await browser.chunks(untilText: #""key":"40""#)
            #expect(chunks.first?.type == "I")
        }
    }

    @Test func `a command is done, and answered under its number`() async throws {
        let inspected = try await Inspected()
        await inspected.fetch("0")
        #expect(inspected.paginator.peek(key: "0", pageSize: 10) != nil)
        let browser = try await inspected.browser()
        let chunks = try await browser.chunks { $0.type == "E" }
        let subject = try #require(chunks.first { $0.type == "A" && $0.text.contains(#""name":"Numbers""#) })
        let number = try #require(try JSONSerialization.jsonObject(with: Data(subject.payload)) as? [String: Any])
        try await browser.command(#"{"id":7,"do":"clear","subject":\#(try #require(number["subject"]))}"#)
        let answer = try #require(try await browser.chunks { $0.type == "K" }.last { $0.type == "K" })
        #expect(answer.text.contains(#""id":7"#) && answer.text.contains(#""ok":true"#), "\(answer.text)")
        #expect(inspected.paginator.peek(key: "0", pageSize: 10) == nil)
    }

    @Test func `what one browser asks for is told to all, also to those who come later`() async throws {
        let inspected = try await Inspected()
        let (one, other) = (try await inspected.browser(), try await inspected.browser())
        _ = try await other.chunks { $0.type == "A" }
        try await one.command(#"{"id":1,"do":"faults","subject":2,"error":"fatal","offline":true}"#)
        try await one.command(#"{"id":2,"do":"pause"}"#)
        let isTold: (Chunk) -> Bool = {
            $0.type == "I" && $0.text.contains(#""error":"fatal""#) && $0.text.contains(#""paused":true"#)
        }
        _ = try await other.chunks(until: isTold)
        let later = try await inspected.browser()
        _ = try await later.chunks(until: isTold)
        try await one.command(#"{"id":3,"do":"resume"}"#)
        try await one.command(#"{"id":4,"do":"faults","subject":2}"#)
        _ = try await other.chunks { $0.type == "I" && $0.text.contains(#""paused":false,"faults":[]"#) }
    }

    @Test(arguments: ["{}", "nonsense", #"{"id":3,"do":"clear","subject":99}"#, #"{"id":3,"do":"format","subject":1}"#])
    func `what is no command is answered, too`(command: String) async throws {
        let inspected = try await Inspected()
        let browser = try await inspected.browser()
        try await browser.command(command)
        let answer = try #require(try await browser.chunks { $0.type == "K" }.last { $0.type == "K" })
        #expect(answer.text.contains(#""ok":false"#), "\(answer.text)")
    }

    @Test func `a browser that reads late gets a gap instead of all that it missed`() async throws {
        let inspected = try await Inspected { $0.maxTextBytes = 500_000 }
        let browser = try await Browser(inspected.server.url, receiveBuffer: 4_096)
        try await browser.openLive()
        _ = try await browser.chunks { $0.type == "A" }
        // More than the buffers of the system's sockets have room for.
        let padding = String(repeating: "x", count: 4_000)
        for number in 0..<3_000 { await inspected.fetch("\(number)", scope: "\(number)-\(padding)") }
        await inspected.fetch("990")

        let chunks = try await browser.chunks(untilText: #""key":"990""#)
        let gap = try #require(chunks.lastIndex { $0.type == "R" })
        let after = chunks[(gap + 1)...]
        // It stands alone, with texts that are numbered anew.
        #expect(after.first?.type == "I")
        let numbers = after.filter { $0.type == "N" }.map {
            $0.payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(numbers.first == 1)
        let texts = chunks.filter { $0.type == "N" }.count
        #expect(texts < 3_000, "everything was sent")
    }

    @Test func `a connection that breaks does no harm to the next one`() async throws {
        let inspected = try await Inspected()
        for number in 0..<20 {
            let browser = try await inspected.browser()
            await inspected.fetch("\(number * 10)")
            browser.breakOff()
            let next = try await Browser(inspected.server.url)
            #expect(try await next.get("/").status == 200)
        }
    }

    @Test func `a browser that closes is told so`() async throws {
        let inspected = try await Inspected()
        let browser = try await inspected.browser()
        try await browser.send(kind: 8, [0x03, 0xE8])
        while try await browser.message().kind != 8 {}
        try await browser.end()
    }

    @Test(arguments: [
        (kind: 2, bytes: [UInt8](repeating: 0x43, count: 100_000), code: 1_009), (2, [0x45, 0, 0, 0, 0], 1_007),
        (2, [0x43, 0xFF], 1_007), (1, Array("{}".utf8), 1_003),
    ])
    func `what is no message of ours ends the connection`(kind: UInt8, bytes: [UInt8], code: Int) async throws {
        let inspected = try await Inspected()
        let browser = try await inspected.browser()
        try await browser.send(kind: kind, bytes)
        var message = try await browser.message()
        while message.kind != 8 { message = try await browser.message() }
        #expect(message.bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } == code)
    }

    @Test func `a ping is answered`() async throws {
        let inspected = try await Inspected()
        let browser = try await inspected.browser()
        try await browser.send(kind: 9, [1, 2, 3])
        var message = try await browser.message()
        while message.kind != 10 { message = try await browser.message() }
        #expect(message.bytes == [1, 2, 3])
    }
}
