import Foundation
public import PaginatorCore

extension HTTPAuthentication {
    /// Signs requests with AWS's Signature Version 4.
    ///
    /// ```swift
    /// let account = HTTPAuthentication.awsSignature(region: "eu-central-1", service: "execute-api") {
    ///     (accessKey: "AKIDEXAMPLE", secretKey: try await tokens.current, sessionToken: nil)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - region: the region, such as `us-east-1`.
    ///   - service: the service's name in signatures, such as `execute-api`, `s3` or `es`.
    ///   - inQuery: whether the signature is in the query, where it is valid for 15 minutes; false by default, in the
    ///     header.
    ///   - clock: the clock for the time of signing; the device's by default.
    ///   - credentials: returns the current credentials, with a session token if they expire; called for every request,
    ///     on any thread. The secret key is not sent.
    public static func awsSignature(
        region: String, service: String, inQuery: Bool = false, clock: any PaginatorClock = SystemPaginatorClock(),
        credentials:
            @escaping @Sendable () async throws -> (
                accessKey: String, secretKey: String, sessionToken: String?
            )
    ) -> HTTPAuthentication {
        HTTPAuthentication(adapt: { request in
            let (accessKey, secretKey, sessionToken) = try await credentials()
            let signer = AWSSigner(
                accessKey: accessKey, secretKey: secretKey, sessionToken: sessionToken, region: region,
                service: service)
            if inQuery {
                signer.signQuery(of: &request, at: clock.wallTime)
            } else {
                signer.signHeader(of: &request, at: clock.wallTime)
            }
        })
    }
}

/// Signs requests according to "Create a signed AWS API request" in AWS's documentation.
struct AWSSigner: Sendable {
    let accessKey: String
    let secretKey: String
    let sessionToken: String?
    let region: String
    let service: String
    /// How long a signed query is valid.
    var seconds = 900

    private static let algorithm = "AWS4-HMAC-SHA256"

    func signHeader(of request: inout HTTPPageRequest, at date: Date) {
        let time = Self.time(date)
        request.headers["X-Amz-Date"] = time
        request.headers["X-Amz-Security-Token"] = sessionToken
        let payload = SHA256.hexadecimal(SHA256.hash(Array(request.body ?? Data())))
        // S3 refuses requests without it.
        if service == "s3" { request.headers["X-Amz-Content-SHA256"] = payload }
        var signed = request.headers.fields.map { ($0.name.lowercased(), $0.value) }
            .filter { $0.0.hasPrefix("x-amz-") }
        signed.append(("host", Self.host(of: request.url)))
        let names = signed.map(\.0).sorted().joined(separator: ";")
        let signature = signature(of: request, headers: signed, payload: payload, at: time)
        request.headers["Authorization"] =
            "\(Self.algorithm) Credential=\(accessKey)/\(scope(time)), SignedHeaders=\(names), Signature=\(signature)"
    }

    func signQuery(of request: inout HTTPPageRequest, at date: Date) {
        let time = Self.time(date)
        // Otherwise the signature of an earlier attempt would be signed, too.
        request.set("X-Amz-Signature", to: nil)
        request.set("X-Amz-Algorithm", to: Self.algorithm)
        request.set("X-Amz-Credential", to: "\(accessKey)/\(scope(time))")
        request.set("X-Amz-Date", to: time)
        request.set("X-Amz-Expires", to: seconds)
        request.set("X-Amz-Security-Token", to: sessionToken)
        request.set("X-Amz-SignedHeaders", to: "host")
        // S3 signs links to objects without their bodies.
        let payload =
            service == "s3" ? "UNSIGNED-PAYLOAD" : SHA256.hexadecimal(SHA256.hash(Array(request.body ?? Data())))
        let headers = [("host", Self.host(of: request.url))]
        request.set("X-Amz-Signature", to: signature(of: request, headers: headers, payload: payload, at: time))
    }

    private func signature(
        of request: HTTPPageRequest, headers: [(name: String, value: String)], payload: String, at time: String
    ) -> String {
        let headers = headers.sorted { $0.name < $1.name }
        let canonical = [
            request.method.uppercased(), path(of: request.url), Self.query(of: request.url),
            headers.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined(),
            headers.map(\.name).joined(separator: ";"),
            payload,
        ].joined(separator: "\n")
        let digest = SHA256.hexadecimal(SHA256.hash(Array(canonical.utf8)))
        let text = [Self.algorithm, time, scope(time), digest].joined(separator: "\n")
        let start = Array("AWS4\(secretKey)".utf8)
        let key = [String(time.prefix(8)), region, service, "aws4_request"].reduce(start) { key, part in
            SHA256.authenticationCode(Array(part.utf8), key: key)
        }
        return SHA256.hexadecimal(SHA256.authenticationCode(Array(text.utf8), key: key))
    }

    private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/\(service)/aws4_request" }

    // S3 encodes an object's name once. Other services encode the sent path again, without empty and dot segments.
    private func path(of url: URL) -> String {
        let segments = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
        if service == "s3" {
            let path = segments.map { QueryEditor.encoded(String($0).removingPercentEncoding ?? String($0)) }
                .joined(separator: "/")
            return path.isEmpty ? "/" : path
        }
        var kept: [Substring] = []
        for segment in segments where !segment.isEmpty && segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        let end = kept.isEmpty || !["", ".", ".."].contains(segments.last) ? "" : "/"
        return "/" + kept.map { QueryEditor.encoded(String($0)) }.joined(separator: "/") + end
    }

    private static func query(of url: URL) -> String {
        QueryEditor.parameters(of: url).map { (QueryEditor.encoded($0.name), QueryEditor.encoded($0.value)) }
            .sorted { $0 < $1 }.map { $0 + "=" + $1 }.joined(separator: "&")
    }

    // As the system sends it: with the port, unless it is the scheme's default.
    static func host(of url: URL) -> String {
        let host = URLComponents(url: url, resolvingAgainstBaseURL: true)?.encodedHost ?? ""
        guard let port = url.port, port != (url.scheme?.lowercased() == "http" ? 80 : 443) else { return host }
        return "\(host):\(port)"
    }

    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    /// The time as ISO 8601 without separators, in UTC.
    private static func time(_ date: Date) -> String {
        let text = date.ISO8601Format()
        return String(text.filter { $0 != "-" && $0 != ":" })
    }
}
