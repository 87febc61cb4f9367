import Foundation
import PaginatorCore
import PaginatorHTTP
import Testing

struct TransferMachineTests {
    private func machine(hasBody: Bool = false, _ adjust: (inout TransferRules) -> Void = { _ in }) -> TransferMachine {
        var rules = TransferRules()
        adjust(&rules)
        return TransferMachine(url: Self.url, hasBody: hasBody, rules: rules)
    }

    private static let url = URL(string: "https://h/a")!

    private func start(
        _ machine: inout TransferMachine, status: Int = 200, _ headers: HTTPHeaderFields = [:]
    ) throws(HTTPSourceError) {
        try machine.received(status: status, headers: headers, url: Self.url, at: .zero)
    }

    @Test func givesTheWholeBody() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "5"])
        #expect(try machine.received(Array("[1,".utf8)) == .go)
        #expect(try machine.received(Array("2]".utf8)) == .go)
        #expect(try machine.ended(nil).body == Array("[1,2]".utf8))
    }

    @Test func stopsBeforeALargeBodyComes() {
        var machine = machine { $0.limits.bodyBytes = 10 }
        let error = #expect(throws: HTTPSourceError.self) { try start(&machine, ["Content-Length": "11"]) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.field == "bodyBytes")
    }

    @Test func stopsWhereABodyGrowsTooLarge() throws {
        var machine = machine { $0.limits.bodyBytes = 10 }
        try start(&machine)
        #expect(try machine.received(Array("[1111,1111".utf8)) == .go)
        let error = #expect(throws: HTTPSourceError.self) { try machine.received([0x5D]) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func needsNotAllOfAFailure() throws {
        var machine = machine { $0.limits.bodyBytes = 10 }
        try start(&machine, status: 500, ["Content-Length": "1000"])
        #expect(try machine.received(Array("<html><html>".utf8)) == .enough)
    }

    @Test func boundsTheHeader() {
        var machine = machine { $0.limits.headerBytes = 100 }
        let error = #expect(throws: HTTPSourceError.self) {
            try start(&machine, ["X": String(repeating: "x", count: 100)])
        }
        #expect(error?.code == .headerTooLarge)
        #expect(error?.field == "headerBytes")
    }

    @Test func tellsABodyThatEndedEarly() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "5"])
        _ = try machine.received(Array("[1,".utf8))
        #expect(throws: HTTPSourceError.self) { try machine.ended(nil) }
        let error = #expect(throws: HTTPSourceError.self) { try machine.ended(.networkConnectionLost) }
        #expect(error?.code == .endedEarly)
    }

    @Test func countsNoBytesOfACompressedBody() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "500", "Content-Encoding": "gzip"])
        _ = try machine.received(Array("[]".utf8))
        #expect(try machine.ended(nil).body.count == 2)
    }

    @Test func watchesThePace() throws {
        var machine = machine { $0.limits.slowestBytes = 4 }
        #expect(machine.deadline == nil)
        try start(&machine)
        #expect(machine.deadline == PaginatorInstant(nanoseconds: 10_000_000_000))
        _ = try machine.received(Array("[1,2".utf8))
        try machine.ticked(at: PaginatorInstant(nanoseconds: 9_999_999_999))
        try machine.ticked(at: PaginatorInstant(nanoseconds: 10_000_000_000))
        #expect(machine.deadline == PaginatorInstant(nanoseconds: 20_000_000_000))
        _ = try machine.received(Array(",3".utf8))
        let error = #expect(throws: HTTPSourceError.self) {
            try machine.ticked(at: PaginatorInstant(nanoseconds: 20_000_000_000))
        }
        #expect(error?.code == .tooSlow)
        #expect(error?.field == "slowestBytes")
    }

    @Test(
        arguments: [
            ("https://h/b", 301, false, .follow), ("https://h:443/b", 302, false, .follow),
            ("http://h/b", 301, false, .refuse(.otherOrigin)), ("https://h:8443/b", 301, false, .refuse(.otherOrigin)),
            ("https://evil/b", 307, false, .refuse(.otherOrigin)), ("https://cdn/b", 302, false, .followBare),
            ("https://cdn/b", 307, true, .refuse(.otherOrigin)), ("https://h/b", 302, true, .refuse(.redirect)),
            ("https://h/b", 308, true, .follow), ("file:///etc/passwd", 302, false, .refuse(.redirect)),
        ] as [(String, Int, Bool, TransferMachine.Redirect)])
    func followsRedirectsOfItsOrigin(
        _ address: String, _ status: Int, _ hasBody: Bool, _ expected: TransferMachine.Redirect
    ) {
        var machine = machine(hasBody: hasBody) { $0.allowedOrigins = ["https://cdn"] }
        #expect(machine.redirected(status: status, to: URL(string: address)) == expected)
    }

    /// What was left out for another origin stays out on the way back.
    @Test func staysBareOnTheWayBack() {
        var machine = machine { $0.allowedOrigins = ["https://cdn"] }
        #expect(machine.redirected(status: 302, to: URL(string: "https://cdn/b")) == .followBare)
        #expect(machine.redirected(status: 302, to: URL(string: "https://h/c")) == .followBare)
    }

    @Test func boundsRedirects() {
        var machine = machine()
        for _ in 0..<5 { #expect(machine.redirected(status: 302, to: URL(string: "https://h/b")) == .follow) }
        #expect(machine.redirected(status: 302, to: URL(string: "https://h/b")) == .refuse(.redirect))
    }
}
