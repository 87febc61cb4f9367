import Foundation
import PaginatorInspector
import Testing

/// Who may ask.
@Suite(.timeLimit(.minutes(1))) struct AccessTests {
    static let paths = ["/", "/live", "/recording", "/trace.json", "/text", "/no-such-file"]

    private func status(_ inspected: Inspected, _ path: String, _ headers: [String: String?]) async throws -> Int {
        let browser = try await Browser(inspected.server.url)
        return try await path.hasPrefix("/live")
            ? browser.openLive(path, headers).status : browser.get(path, headers).status
    }

    @Test(arguments: paths) func `a name of another site is refused`(path: String) async throws {
        let inspected = try await Inspected()
        let port = inspected.server.port
        let names = [
            nil, "", "evil.example", "evil.example:\(port)", "127.0.0.1.evil.example:\(port)", "127.0.0.1",
            "127.0.0.1:\(port ^ 1)", "192.168.1.2:\(port)", "phone.local:\(port)", "localhost.:\(port)", ":\(port)",
        ]
        for name in names {
            #expect(try await status(inspected, path, ["Host": name, "Origin": nil]) == 403, "\(name ?? "none")")
        }
    }

    @Test(arguments: paths) func `a page of another site is refused`(path: String) async throws {
        let inspected = try await Inspected()
        let port = inspected.server.port
        let origins = [
            "http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:\(port ^ 1)",
            "http://localhost:\(port)",
            "https://127.0.0.1:\(port)", "",
        ]
        for origin in origins { #expect(try await status(inspected, path, ["Origin": origin]) == 403, "\(origin)") }
    }

    @Test(arguments: paths) func `what another site's page embeds is refused, and a link to the page is not`(
        path: String
    ) async throws {
        let inspected = try await Inspected()
        for site in ["cross-site", "same-site"] {
            let cross = try await status(inspected, path, ["Sec-Fetch-Site": site, "Origin": nil])
            #expect(cross == (path == "/" ? 200 : 403))
        }
        let own = try await status(inspected, path, ["Sec-Fetch-Site": "same-origin"])
        #expect(own == ["/live": 101, "/no-such-file": 404][path] ?? 200)
    }

    @Test func `this device needs no token`() async throws {
        let inspected = try await Inspected()
        #expect(inspected.server.url.absoluteString == "http://127.0.0.1:\(inspected.server.port)/")
        #expect(try await status(inspected, "/", [:]) == 200)
        #expect(try await status(inspected, "/live", [:]) == 101)
        let host = "localhost:\(inspected.server.port)"
        #expect(try await status(inspected, "/live", ["Host": host, "Origin": "http://\(host)"]) == 101)
    }

    @Test(arguments: paths) func `the local network needs the token`(path: String) async throws {
        let inspected = try await Inspected(access: .localNetwork(token: "0123456789abcdef"))
        let port = inspected.server.port
        let cookie = "paginator-inspector-\(port)"
        #expect(try await status(inspected, path, [:]) == 401)
        for wrong in ["", "0123456789abcdeF", "0123456789abcde", "0123456789abcdef0"] {
            #expect(try await status(inspected, "\(path)?token=\(wrong)", [:]) == 401, "\(wrong)")
            #expect(try await status(inspected, path, ["Cookie": "\(cookie)=\(wrong)"]) == 401, "\(wrong)")
        }
        #expect(try await status(inspected, path, ["Cookie": "paginator-inspector-1=0123456789abcdef"]) == 401)
        let open = ["/live": 101, "/no-such-file": 404][path] ?? 200
        let cookies = "a=b; \(cookie)=0123456789abcdef; c=d"
        #expect(try await status(inspected, path, ["Cookie": cookies]) == open)
        for host in ["192.168.1.2:\(port)", "phone.local:\(port)"] {
            let headers = ["Cookie": cookies, "Host": host, "Origin": "http://\(host)"]
            #expect(try await status(inspected, path, headers) == open, "\(host)")
        }
        let evil = "evil.example:\(port)"
        #expect(
            try await status(inspected, path, ["Cookie": cookies, "Host": evil, "Origin": "http://\(evil)"]) == 403)
    }

    @Test func `the token of the address becomes a cookie`() async throws {
        let inspected = try await Inspected(access: .localNetwork())
        let url = inspected.server.url
        let token = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first?.value)
        #expect(token.count == 32)
        let browser = try await Browser(url)
        let answer = try await browser.get("/?token=\(token)")
        #expect(answer.status == 303)
        #expect(answer.headers["location"] == "/")
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie == "paginator-inspector-\(inspected.server.port)=\(token); Path=/; HttpOnly; SameSite=Lax")
        #expect(try await browser.get("/", ["Cookie": String(cookie.prefix { $0 != ";" })]).status == 200)

        let other = try await Inspected(access: .localNetwork())
        #expect(other.server.url.query() != url.query())
    }

    @Test(arguments: ["", "short", "0123456789abcde", "0123456789abcdef;", "0123456789 abcdef", "0123456789abcdéf"])
    func `a token that is weak or cannot stand in an address is refused`(token: String) async throws {
        await #expect(throws: PaginatorInspectorServerError.unfitToken) {
            _ = try await Inspected(access: .localNetwork(token: token))
        }
    }
}
