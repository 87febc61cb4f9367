import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct TransferMachineTests {
    private func machine(hasBody: Bool = false, _ adjust: (inout TransferRules) -> Void = { _ in }) -> TransferMachine {
        var rules = TransferRules()
        adjust(&rules)
        return TransferMachine(url: Self.url, hasBody: hasBody, rules: rules)
    }

    private static let url = URL(string: "https://h/a")!
    private static let cdn = Set([HTTPOrigin("https://cdn")].compactMap { $0 })

    private func start(
        _ machine: inout TransferMachine, status: Int = 200, _ headers: HTTPHeaderFields = [:]
    ) throws(HTTPSourceError) {
        try machine.received(status: status, headers: headers, url: Self.url, at: .zero)
    }

    @Test func `a redirect within the origin keeps the fields that the system has left out`() throws {
        var proposed = URLRequest(url: try #require(URL(string: "https://a.example/items/")))
        proposed.setValue("fr", forHTTPHeaderField: "accept-language")
        let complete = Transfer.complete(proposed, with: ["Authorization": "Bearer 1", "Accept-Language": "de"])
        #expect(complete.allHTTPHeaderFields?.count == 2)
        #expect(complete.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
        #expect(complete.value(forHTTPHeaderField: "Accept-Language") == "fr")
    }

    @Test func `gives the whole body`() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "5"])
        #expect(try machine.received(Array("[1,".utf8)) == .go)
        #expect(try machine.received(Array("2]".utf8)) == .go)
        #expect(try machine.ended(nil).body == Array("[1,2]".utf8))
    }

    @Test func `stops before a large body comes`() {
        var machine = machine { $0.limits.bodyBytes = 10 }
        let error = #expect(throws: HTTPSourceError.self) { try start(&machine, ["Content-Length": "11"]) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.field == "bodyBytes")
    }

    @Test func `takes a body that is as large as it may be`() throws {
        var machine = machine { $0.limits.bodyBytes = 10 }
        try start(&machine, ["Content-Length": "10"])
        #expect(try machine.received(Array("[1111,111]".utf8)) == .go)
        #expect(try machine.ended(nil).body.count == 10)
    }

    @Test func `stops where a body grows too large`() throws {
        var machine = machine { $0.limits.bodyBytes = 10 }
        try start(&machine)
        #expect(try machine.received(Array("[1111,1111".utf8)) == .go)
        let error = #expect(throws: HTTPSourceError.self) { try machine.received([0x5D]) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `needs not all of a failure`() throws {
        var machine = machine { $0.limits.bodyBytes = 10 }
        try start(&machine, status: 500, ["Content-Length": "1000"])
        #expect(try machine.received(Array("<html><html>".utf8)) == .enough)
        // The status counts, and not that the rest was not wanted.
        #expect(try machine.ended(nil).status == 500)
    }

    @Test func `bounds the header`() throws {
        var whole = self.machine { $0.limits.headerBytes = 100 }
        // With the name, the colon, the space and the line end as large as it may be.
        try start(&whole, ["X": String(repeating: "x", count: 95)])
        var larger = self.machine { $0.limits.headerBytes = 100 }
        let error = #expect(throws: HTTPSourceError.self) {
            try start(&larger, ["X": String(repeating: "x", count: 96)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.field == "headerBytes")
    }

    @Test func `tells a body that ended early`() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "5"])
        _ = try machine.received(Array("[".utf8))
        #expect(throws: HTTPSourceError.self) { try machine.ended(nil) }
        let error = #expect(throws: HTTPSourceError.self) { try machine.ended(.networkConnectionLost) }
        #expect(error?.code == .endedEarly)
    }

    @Test func `a connection that fails before the body begins is a failed connection, and no body that ended early`()
        throws
    {
        var machine = machine()
        try start(&machine)
        let error = #expect(throws: HTTPSourceError.self) { try machine.ended(.networkConnectionLost) }
        #expect(error?.code == .connection && error?.status == 200)
        #expect(error?.urlErrorCode == .networkConnectionLost)
    }

    @Test func `counts no bytes of a compressed body`() throws {
        var machine = machine()
        try start(&machine, ["Content-Length": "500", "Content-Encoding": "gzip"])
        _ = try machine.received(Array("[]".utf8))
        #expect(try machine.ended(nil).body.count == 2)
    }

    @Test func `watches the pace`() throws {
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
    func `follows redirects of its origin`(
        _ address: String, _ status: Int, _ hasBody: Bool, _ expected: TransferMachine.Redirect
    ) {
        var machine = machine(hasBody: hasBody) { $0.allowedOrigins = Self.cdn }
        #expect(machine.redirected(status: status, to: URL(string: address)) == expected)
    }

    /// What was left out for another origin stays out on the way back.
    @Test func `stays bare on the way back`() {
        var machine = machine { $0.allowedOrigins = Self.cdn }
        #expect(machine.redirected(status: 302, to: URL(string: "https://cdn/b")) == .followBare)
        #expect(machine.redirected(status: 302, to: URL(string: "https://h/c")) == .followBare)
    }

    @Test func `bounds redirects`() {
        var machine = machine()
        for _ in 0..<5 { #expect(machine.redirected(status: 302, to: URL(string: "https://h/b")) == .follow) }
        #expect(machine.redirected(status: 302, to: URL(string: "https://h/b")) == .refuse(.redirect))
    }

    @Test func `whatever a connection reports, its invariants hold`() {
        for seed in UInt64(0)..<200 {
            var random = SeededRandom(seed: seed)
            var machine = machine(hasBody: random.chance(0.3)) { rules in
                rules.limits.bodyBytes = 30
                rules.limits.redirects = 2
                rules.limits.slowestBytes = 4
                rules.allowedOrigins = Self.cdn
            }
            var now = PaginatorInstant.zero
            for _ in 0..<40 {
                do throws(HTTPSourceError) {
                    switch random.number(in: 0..<6) {
                    case 0:
                        let address = ["https://h/b", "https://cdn/b", "https://evil/b"][random.number(in: 0..<3)]
                        let status = [302, 307][random.number(in: 0..<2)]
                        _ = machine.redirected(status: status, to: URL(string: address))
                    case 1: try start(&machine, status: [200, 404, 304][random.number(in: 0..<3)])
                    case 2:
                        now = now.advanced(by: .seconds(Int64(random.number(in: 0..<12))))
                        try machine.ticked(at: now)
                    default:
                        _ = try machine.received(Array("[1,2,3,4,5".utf8.prefix(random.number(in: 0..<11))))
                    }
                } catch {
                    #expect(!error.description.isEmpty)
                }
                #expect(machine.invariantViolations() == [], "seed \(seed)")
            }
        }
    }
}
