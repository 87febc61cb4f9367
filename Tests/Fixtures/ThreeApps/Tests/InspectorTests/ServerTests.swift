import FlyingSocks
import Foundation
import PaginatorInspector
import Testing

/// The files that a server has, and how it begins and ends.
@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    @Test func `the page comes from this server alone, and is not kept`() async throws {
        let inspected = try await Inspected()
        let page = try await Browser(inspected.server.url).get("/")
        #expect(page.status == 200)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'self';") == true)
        #expect(page.headers["cache-control"] == "no-store")
        #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(page.text.lowercased().contains("<!doctype html>"))
    }

    @Test(arguments: [
        "/nothing.js", "/../PageFiles.swift", "/%2e%2e/PageFiles.swift", "//etc/passwd", "/index.html%00.js",
    ])
    func `other paths lead to nothing`(path: String) async throws {
        let inspected = try await Inspected()
        #expect(try await Browser(inspected.server.url).get(path).status == 404)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
    func `only GET is answered`(method: String) async throws {
        let inspected = try await Inspected()
        for path in ["/", "/live", "/recording"] {
            #expect(try await Browser(inspected.server.url).get(path, method: method).status == 405)
        }
    }

    @Test func `what is recorded can be taken along`() async throws {
        let inspected = try await Inspected()
        await inspected.fetch("20")
        let browser = try await Browser(inspected.server.url)
        let file = try await browser.get("/recording")
        #expect(file.headers["content-disposition"] == #"attachment; filename="recording.pagrec""#)
        let hashed = try PaginatorRecording(data: file.body)
        #expect(hashed.names.contains("Numbers") && hashed.eventCount > 0 && hashed.hasHashedKeys)
        let open = try PaginatorRecording(data: try await browser.get("/recording?keys=1").body)
        #expect(open.eventCount >= hashed.eventCount && !open.hasHashedKeys)
        let trace = try await browser.get("/trace.json")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: trace.body) }
        #expect(try await browser.get("/text").text.contains("Numbers"))
    }

    @Test func `keys stay hashed where they are not allowed`() async throws {
        let inspected = try await Inspected { $0.allowsKeys = false }
        await inspected.fetch("secret")
        let browser = try await Browser(inspected.server.url)
        for path in ["/recording?keys=1", "/trace.json?keys=1", "/text?keys=1"] {
            #expect(!(try await browser.get(path).text.contains("secret")), "\(path)")
        }
        let live = try await inspected.browser().chunks { $0.type == "E" }
        #expect(live.contains { $0.type == "N" } && !live.contains { $0.text.contains("secret") })
    }

    @Test func `a saved recording is shown as it is, and takes no commands`() async throws {
        let inspected = try await Inspected()
        await inspected.fetch("20")
        let recording = inspected.inspector.recording()
        let server = try await recording.serve()
        let browser = try await Browser(server.url)
        try await browser.openLive()
        let chunks = try await browser.chunks { $0.type == "E" }
        #expect(chunks.map(\.events).reduce(0, +) == recording.eventCount)
        try await browser.command(#"{"id":5,"do":"clear","subject":1}"#)
        let answer = try #require(try await browser.chunks { $0.type == "K" }.last { $0.type == "K" })
        #expect(answer.text.contains(#""id":5"#) && answer.text.contains(#""ok":false"#), "\(answer.text)")
        await server.stop()
    }

    @Test func `a port that is taken is told`() async throws {
        let inspected = try await Inspected()
        let port = inspected.server.port
        await #expect(throws: PaginatorInspectorServerError.portTaken(port)) {
            _ = try await inspected.inspector.serve(port: port)
        }
        await inspected.server.stop()
        let again = try await inspected.inspector.serve(port: port)
        #expect(again.port == port)
        #expect(try await Browser(again.url).get("/").status == 200)
    }

    @Test func `connections that do nothing do not pile up`() async throws {
        let inspected = try await Inspected()
        var idle: [Browser] = []
        for _ in 0..<200 { idle.append(try await Browser(inspected.server.url)) }
        // The last ones were closed, so that a place becomes free with the first that goes.
        try await idle[199].end()
        idle.removeFirst(100)
        while (try? await Browser(inspected.server.url).get("/").status) != 200 {}
    }

    #if os(Linux)
        @Test func `a server that could not accept a connection listens again`() async throws {
            let inspected = try await Inspected()
            #expect(Self.shutDownListener(at: inspected.server.port))
            while (try? await Browser(inspected.server.url).get("/").status) != 200 {}
            await inspected.server.stop()
            await #expect(throws: (any Error).self) { _ = try await Browser(inspected.server.url) }
        }

        /// Makes the system refuse to accept connections at a port of this process.
        private static func shutDownListener(at port: UInt16) -> Bool {
            for descriptor in Int32(3)..<1_024 {
                var address = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let isNamed = withUnsafeMutablePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &length) == 0
                    }
                }
                var isListening = Int32(0)
                var size = socklen_t(MemoryLayout<Int32>.size)
                guard isNamed, address.sin_family == sa_family_t(AF_INET), UInt16(bigEndian: address.sin_port) == port,
                    getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0
                else { continue }
                return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
            }
            return false
        }

        @Test func `a program that was copied without the page's files says what to copy`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (program, file) = (folder.appending(path: "inspect"), folder.appending(path: "a.pagrec"))
            try FileManager.default.copyItem(at: Bundle.main.bundleURL.appending(path: "inspect"), to: program)
            try await Inspected().inspector.recording().write(to: file)
            let (process, output) = (Process(), Pipe())
            process.executableURL = program
            process.arguments = [file.path]
            (process.standardOutput, process.standardError) = (output, output)
            try process.run()
            // The first that it says; one that serves says an address, and goes on.
            let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            process.terminate()
            #expect(said.contains("copy paginator_PaginatorInspectorPage.resources beside the executable"), "\(said)")
        }
    #endif

    @Test func `an inspector that is not enabled serves nothing`() async throws {
        await #expect(throws: PaginatorInspectorServerError.disabled) {
            _ = try await Inspected { $0.isEnabled = false }
        }
    }

    @Test func `stopping ends every connection`() async throws {
        let inspected = try await Inspected()
        let reading = try await inspected.browser()
        let idle = try await Browser(inspected.server.url)
        _ = try await idle.get("/")
        let slow = try await Browser(inspected.server.url, receiveBuffer: 4_096)
        try await slow.openLive()
        for number in 0..<1_500 { await inspected.fetch("\(number)-" + String(repeating: "x", count: 4_000)) }
        await inspected.server.stop()
        try await reading.end()
        try await idle.end()
        try await slow.end()
        await #expect(throws: (any Error).self) { _ = try await Browser(inspected.server.url) }
        await inspected.server.stop()
    }

    @Test func `the server ends with the inspector`() async throws {
        var inspected: Inspected? = try await Inspected()
        let server = try #require(inspected?.server)
        let browser = try await Browser(server.url)
        try await browser.openLive()
        inspected = nil
        try await browser.end()
        // Until the port is closed.
        while (try? await Browser(server.url)) != nil {}
    }

    @Test func `a recording is served as long as the server is kept`() async throws {
        let recording = try await Inspected().inspector.recording()
        var server: PaginatorInspectorServer? = try await recording.serve()
        let url = try #require(server?.url)
        let browser = try await Browser(url)
        #expect(try await browser.get("/").status == 200)
        server = nil
        try await browser.end()
    }

    @Test func `an inspector goes on without those who asked it to serve`() async throws {
        let inspector: PaginatorInspector
        let url: URL
        do {
            let inspected = try await Inspected()
            (inspector, url) = (inspected.inspector, inspected.server.url)
        }
        #expect(try await Browser(url).get("/").status == 200)
        withExtendedLifetime(inspector) {}
    }
}
