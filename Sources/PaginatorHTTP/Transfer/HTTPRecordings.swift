import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Recorded answers in a folder, one file each, for
/// ``HTTPSession/init(replaying:recordingFrom:secretParameters:clock:onExchange:)``.
///
/// A file is named after its request, with a number for repeated requests, so no list of files is needed.
final class HTTPRecordings: Sendable {
    /// The content of a file. Secrets are left out, or replaced by ``secret``.
    private struct Exchange: Codable {
        struct Message: Codable {
            var method: String?
            var url: String?
            var status: Int?
            var headers: [String: String]
            var body: String?
            /// The body, if it is not text.
            var base64: Data?

            init(headers: [String: String], body: [UInt8]) {
                self.headers = headers
                if body.isEmpty { return }
                self.body = String(data: Data(body), encoding: .utf8)
                if self.body == nil { base64 = Data(body) }
            }
        }

        var request: Message
        var response: Message
    }

    private static let secret = "SECRET"
    /// They describe the transfer, or have credentials.
    private static let leftOut = ["content-encoding", "content-length", "transfer-encoding"]
    // Not `token` or `key`, because a header field may name a page.
    private static let secretWords = ["auth", "cookie", "csrf", "secret", "session"]

    // In bodies these name pages, too.
    private static let bodyNamesOfPages: Set<String> = ["key", "session", "sign", "token"]
    private static let bodyNamesOfSecrets: Set<String> = ["assertion", "client_assertion", "code_verifier"]

    private let folder: URL
    private let secretNames: Set<String>
    private let counts = Guarded<[String: Int]>([:])

    init(_ folder: URL, secretNames: Set<String>) {
        self.folder = folder
        self.secretNames = QuerySecrets.usualNames.union(secretNames.map { $0.lowercased() })
    }

    /// Answers from the next file of the request, or from `record`, whose answer is then written to that file.
    func answer(
        _ request: HTTPPageRequest, _ fields: HTTPHeaderFields, to machine: TransferMachine, at now: PaginatorInstant,
        record: (() async -> Result<TransferResponse, HTTPSourceError>)?
    ) async -> Result<TransferResponse, HTTPSourceError> {
        var secrets = request.secrets
        secrets.add(of: request.url, named: secretNames)
        let shown = secrets.redacted(request.url)
        let name = name(of: request, shown)
        let file = folder.appending(path: name)
        do {
            if FileManager.default.fileExists(atPath: file.path) {
                let response = try JSONDecoder().decode(Exchange.self, from: Data(contentsOf: file)).response
                let url = response.url.flatMap { URL(written: $0) } ?? request.url
                guard
                    let header = HTTPURLResponse(
                        url: url, statusCode: response.status ?? 0, httpVersion: nil, headerFields: response.headers)
                else { throw CocoaError(.fileReadCorruptFile) }
                let body = response.base64 ?? Data((response.body ?? "").utf8)
                return Result { () throws(HTTPSourceError) in
                    try machine.whole(header, body, to: URLRequest(url: request.url), at: now)
                }
            }
            guard let record else {
                return .failure(
                    HTTPSourceError(
                        .notRecorded, "No recording answers \(request.method) \(shown): there is no file \(name).",
                        field: name))
            }
            let result = await record()
            // Failed connections are not recorded, nor bodies that were not kept.
            guard case .success(let response) = result, response.droppedBytes == 0 else { return result }
            try write(response, to: request, fields, shown, file)
            return result
        } catch {
            return .failure(
                HTTPSourceError(
                    .notRecorded, "The recording \(name) cannot be read or written (\(error)).", field: name,
                    underlying: error))
        }
    }

    private func name(of request: HTTPPageRequest, _ shown: URL) -> String {
        let words = "\(request.method) \(shown.host() ?? "")\(shown.path()) \(shown.query() ?? "")"
            .split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == ".") }
        let whole =
            [UInt8]("\(request.method)\n\(shown.absoluteString)\n".utf8) + (request.body.map { [UInt8]($0) } ?? [])
        let hash = SHA256.hexadecimal(SHA256.hash(whole)).prefix(8)
        let base = "\(words.joined(separator: "-").prefix(80))-\(hash)"
        let number = counts.withLock { counts in
            counts[base, default: 0] += 1
            return counts[base] ?? 1
        }
        return "\(base)-\(number).json"
    }

    /// The credentials in a request's body, which is JSON or a form.
    private func secrets(in body: Data?) -> [String] {
        guard let body, !body.isEmpty else { return [] }
        let names = secretNames.subtracting(Self.bodyNamesOfPages).union(Self.bodyNamesOfSecrets)
        do {
            func find(in value: Any) -> [String] {
                if let array = value as? [Any] { return array.flatMap(find) }
                return (value as? [String: Any] ?? [:]).flatMap { name, value in
                    let text = value as? String
                    return text.map { names.contains(name.lowercased()) ? [$0] : [] } ?? find(in: value)
                }
            }
            return find(in: try JSONSerialization.jsonObject(with: body))
        } catch {
            // A form.
            let url = URL(written: "?" + String(decoding: body, as: UTF8.self))
            return (url.map(QueryEditor.parameters) ?? []).filter { names.contains($0.name.lowercased()) }.map(\.value)
        }
    }

    private func write(
        _ response: TransferResponse, to request: HTTPPageRequest, _ fields: HTTPHeaderFields, _ shown: URL, _ file: URL
    ) throws {
        var secrets = request.secrets
        secrets.add(of: request.url, named: secretNames)
        // Servers repeat what they were sent, above all in links.
        var values = QueryEditor.parameters(of: request.url).filter { parameter in
            !QueryEditor.parameters(of: shown).contains { $0.name.hasSameBytes(as: parameter.name) }
        }.map(\.value)
        var sent: [String: String] = [:]
        for (name, value) in fields.fields {
            let isHarmless = HTTPExchange.harmlessFields.contains(name.lowercased())
            sent[name] = isHarmless ? value : Self.secret
            // A scheme such as `Bearer` precedes the credentials.
            if !isHarmless { values += [value] + value.split(separator: " ").dropFirst().map(String.init) }
        }
        values += self.secrets(in: request.body)
        values = values.flatMap { value in
            let encoded = QueryEditor.encoded(value)
            // Forms may have a plus sign for a space.
            return [value, encoded, encoded.replacing("%20", with: "+")]
        }
        values = values.filter { $0.utf8.count > 3 }
        let longestFirst = Set(values).sorted { $0.utf8.count > $1.utf8.count }
        func bare(_ text: String) -> String {
            longestFirst.reduce(text) { $0.replacingOccurrences(of: $1, with: Self.secret) }
        }
        var received: [String: String] = [:]
        for (name, value) in response.headers.fields where !Self.leftOut.contains(name.lowercased()) {
            let isSecret = Self.secretWords.contains { name.lowercased().contains($0) }
            received[name] = isSecret ? Self.secret : bare(value)
        }
        var exchange = Exchange(
            request: .init(headers: sent, body: request.body.map { [UInt8]($0) } ?? []),
            response: .init(headers: received, body: response.body))
        (exchange.request.method, exchange.request.url) = (request.method, shown.absoluteString)
        exchange.request.body = exchange.request.body.map(bare)
        exchange.response.status = response.status
        exchange.response.body = exchange.response.body.map(bare)
        // Only after a redirect: links are then relative to that address.
        if response.url != request.url { exchange.response.url = secrets.redacted(response.url).absoluteString }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try encoder.encode(exchange).write(to: file, options: .atomic)
    }
}
