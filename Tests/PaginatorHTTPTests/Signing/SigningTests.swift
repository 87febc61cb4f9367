import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct SigningTests {
    private static func hash(_ text: String) -> String {
        SHA256.hexadecimal(SHA256.hash(Array(text.utf8)))
    }

    // FIPS 180-2, appendix B, and lengths around the end of a block, as `sha256sum` has them.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `a hash is that of the standard`(text: String, expected: String) {
        #expect(Self.hash(text) == expected)
    }

    // RFC 4231, test cases 1, 2 and 6.
    @Test func `a keyed hash is that of the standard`() {
        func code(_ key: [UInt8], _ text: String) -> String {
            SHA256.hexadecimal(SHA256.authenticationCode(Array(text.utf8), key: key))
        }
        #expect(
            code([UInt8](repeating: 0x0b, count: 20), "Hi There")
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code(Array("Jefe".utf8), "what do ya want for nothing?")
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            code([UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First")
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        // Around the length of a block, as `openssl` has them.
        #expect(
            code([UInt8](repeating: 0xaa, count: 64), "what do ya want for nothing?")
                == "7d138503e26666740e493a90641024397c001ad5d3618558a580052081952885")
        #expect(
            code([UInt8](repeating: 0xaa, count: 65), "what do ya want for nothing?")
                == "eb4692e2b460982c828a3865b886231f2d852425de8f1ff47831826c0059448a")
    }

    private func request(_ address: String) throws -> HTTPPageRequest {
        try HTTPPageRequest(SourceRequest(identity: PageIdentity(key: "1", pageSize: 1)), at: HTTPEndpoint(address))
    }

    // The cases `get-vanilla` and `get-vanilla-query-order-key-case` of AWS's test suite for Signature Version 4.
    @Test(arguments: [
        ("https://example.amazonaws.com/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        (
            "https://example.amazonaws.com/?Param2=value2&Param1=value1",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
    ])
    func `a signed header is that of AWS's tests`(address: String, signature: String) throws {
        let signer = AWSSigner(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: nil,
            region: "us-east-1", service: "service")
        var request = try request(address)
        signer.signHeader(of: &request, at: try Date("2015-08-30T12:36:00Z", strategy: .iso8601))
        #expect(request.headers["X-Amz-Date"] == "20150830T123600Z")
        #expect(
            request.headers["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, Signature=\(signature)")
    }

    // The example of "Authenticating Requests: Using Query Parameters" in the documentation of S3.
    @Test func `a signed query is that of the documentation of S3`() throws {
        var signer = AWSSigner(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", sessionToken: nil,
            region: "us-east-1", service: "s3")
        signer.seconds = 86_400
        var request = try request("https://examplebucket.s3.amazonaws.com/test.txt")
        signer.signQuery(of: &request, at: try Date("2013-05-24T00:00:00Z", strategy: .iso8601))
        let query = Dictionary(QueryEditor.parameters(of: request.url).map { ($0.name, $0.value) }) { $1 }
        #expect(
            query["X-Amz-Signature"] == "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        // Signed again, as for another attempt, it is the same.
        let first = request.url
        signer.signQuery(of: &request, at: try Date("2013-05-24T00:00:00Z", strategy: .iso8601))
        #expect(request.url == first)
    }

    private func signature(_ address: String, service: String) throws -> String? {
        let signer = AWSSigner(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: nil,
            region: "us-east-1", service: service)
        var request = try request(address)
        signer.signHeader(of: &request, at: try Date("2015-08-30T12:36:00Z", strategy: .iso8601))
        return request.headers["Authorization"]?.split(separator: "=").last.map(String.init)
    }

    // The cases `get-relative`, `get-slash-dot-slash` and `get-slashes` of AWS's test suite: paths that are signed alike.
    @Test func `empty and dot segments of a path are not signed, but for S3`() throws {
        let host = "https://example.amazonaws.com"
        let root = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        #expect(try signature(host + "/example/..", service: "service") == root)
        #expect(try signature(host + "/./", service: "service") == root)
        #expect(
            try signature(host + "//example//", service: "service")
                == signature(host + "/example/", service: "service"))
        #expect(try signature(host + "/a//b", service: "s3") != signature(host + "/a/b", service: "s3"))
    }

    @Test func `the name of an object of S3 is encoded once, however the address writes it`() throws {
        let host = "https://b.s3.amazonaws.com"
        #expect(
            try signature(host + "/photo(1)+%c3%a9.jpg", service: "s3")
                == signature(host + "/photo%281%29%2B%C3%A9.jpg", service: "s3"))
    }

    @Test(arguments: [
        ("http://[::1]:4566/", "[::1]:4566"), ("https://api.example.com:443/", "api.example.com"),
        ("https://m\u{FC}nchen.example/", "xn--mnchen-3ya.example"), ("http://localhost:8080/x", "localhost:8080"),
    ])
    func `the host is signed as it is sent`(address: String, host: String) throws {
        let url = try #require(URL(string: address))
        #expect(AWSSigner.host(of: url) == host)
    }

    // The case `get-vanilla` again, as a source sends it.
    @Test func `a source signs each request in its header, unless it is told otherwise`() async throws {
        let sent = Handshake<[String?]>([])
        var options = HTTPSourceOptions()
        options.session = HTTPSession(transport: { request in
            let header = ["Authorization", "X-Amz-Date"].map { request.value(forHTTPHeaderField: $0) }
            sent.update { $0 = header + [request.url?.absoluteString] }
            throw URLError(.networkConnectionLost)
        })
        let clock = ManualPaginatorClock(wallTime: try Date("2015-08-30T12:36:00Z", strategy: .iso8601))
        options.authentication = .awsSignature(region: "us-east-1", service: "service", clock: clock) {
            ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", nil)
        }
        let source = HTTPDataSource<Row>(
            "https://example.amazonaws.com/", style: .linkHeader(size: nil), options: options)
        _ = await source.failure()
        let authorization =
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            + "SignedHeaders=host;x-amz-date, "
            + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        #expect(sent.read { $0 } == [authorization, "20150830T123600Z", "https://example.amazonaws.com/"])
    }

    @Test func `credentials of a signed query are in no key`() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.reply(
                rows(1...2), headers: ["Link": "<\(request.target)&page=2>; rel=\"next\""])
        }
        var options = HTTPSourceOptions()
        options.authentication = .awsSignature(region: "us-east-1", service: "execute-api", inQuery: true) {
            ("AKIDEXAMPLE", "secret", "token")
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?q=a"), style: .linkHeader(size: nil), options: options)
        let page = try await source.page().get()
        #expect(page.nextKey == "/rows?q=a&page=2")
        let sent = try #require(server.requests.first).query
        #expect(sent["X-Amz-Credential"]?.hasPrefix("AKIDEXAMPLE/") == true)
        #expect(sent["X-Amz-Signature"]?.count == 64)
        #expect(sent["X-Amz-Security-Token"] == "token")
    }
}
