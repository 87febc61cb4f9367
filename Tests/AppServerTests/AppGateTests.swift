import Testing

@testable import FeedChatExample

/// Whose requests the app's server answers.
@Suite struct AppGateTests {
    private let gate = AppGate(port: 8_080)

    private func isAnswered(
        _ path: String = "/app", host: String? = "127.0.0.1:8080", origin: String? = nil, site: String? = nil
    ) -> Bool {
        gate.refusal(path: path, host: host, origin: origin, site: site) == nil
    }

    @Test func `browsers of this machine are answered`() {
        #expect(isAnswered("/", host: "127.0.0.1:8080"))
        #expect(isAnswered(host: "LocalHost:8080", origin: "http://localhost:8080", site: "same-origin"))
    }

    @Test(arguments: [nil, "evil.example:8080", "127.0.0.1:8081", "127.0.0.1", "127.0.0.1.evil.example:8080"])
    func `a name that is not this machine's is refused`(host: String?) {
        #expect(!isAnswered(host: host))
    }

    @Test(arguments: ["http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "null"])
    func `a page of another site is refused`(origin: String) {
        #expect(!isAnswered(origin: origin))
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `another site, or another server on this device, may link to the page and embed nothing`(site: String) {
        #expect(isAnswered("/", site: site))
        #expect(!isAnswered("/media/cdn/images/1", site: site))
    }
}
