#if Inspector
    import FlyingFox
    import Foundation
    import PaginatorInspectorPage

    /// Answers the requests of the browser's page.
    struct InspectorHandler: HTTPHandler {
        let gate: RequestGate
        let source: LiveSource
        private let exports: Exports

        init(gate: RequestGate, source: LiveSource) {
            self.gate = gate
            self.source = source
            exports = Exports(source)
        }

        func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
            let asked = RequestGate.Request(
                path: request.path, host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
                site: request.headers[HTTPHeader("Sec-Fetch-Site")], cookies: request.headers[.cookie],
                token: request.query["token"])
            switch gate.verdict(on: asked) {
            case .refused(let status, let reason):
                return .text(reason, status: HTTPStatusCode(status, phrase: "Refused"))
            case .signedIn(let cookie):
                var answer = HTTPResponse.inspector(status: .seeOther)
                answer.headers[.location] = request.path
                answer.headers[.setCookie] = cookie
                return answer
            case .admitted:
                guard request.method == .GET else { return .text("Only GET is answered.", status: .methodNotAllowed) }
                return try await answer(to: request)
            }
        }

        private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
            let withKeys = source.showsKeys && request.query["keys"] == "1"
            switch request.path {
            case "/live":
                return try await WebSocketHTTPHandler(handler: LiveHandler(source: source)).handleRequest(request)
            case "/recording":
                return await exports.answer {
                    .file($0.data(withKeys: withKeys), "application/octet-stream", "recording.pagrec")
                }
            case "/trace.json":
                return await exports.answer {
                    .file($0.chromeTrace(withKeys: withKeys), "application/json", "trace.json")
                }
            case "/text":
                return await exports.answer { .text($0.text(withKeys: withKeys)) }
            default:
                guard let file = try PageFiles.inspector?.file(at: request.path) else {
                    return .text("There is no such page.", status: .notFound)
                }
                return .inspector(body: Data(file.bytes), type: file.type)
            }
        }
    }

    /// Makes one export at a time, because each copies everything recorded.
    private actor Exports {
        private let source: LiveSource

        init(_ source: LiveSource) {
            self.source = source
        }

        func answer(_ answer: (PaginatorRecording) -> HTTPResponse) -> HTTPResponse {
            source.recording().map(answer) ?? .text("The inspector is gone.", status: .notFound)
        }
    }

    extension HTTPResponse {
        /// An answer that no other site's page can use, and that loads nothing from other hosts.
        fileprivate static func inspector(
            status: HTTPStatusCode = .ok, body: Data = Data(), type: String = "text/plain; charset=utf-8"
        ) -> HTTPResponse {
            let headers: HTTPHeaders = [
                .contentType: type,
                .cacheControl: "no-store",
                HTTPHeader("Content-Security-Policy"):
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
                HTTPHeader("Referrer-Policy"): "no-referrer",
                HTTPHeader("X-Content-Type-Options"): "nosniff",
            ]
            return HTTPResponse(statusCode: status, headers: headers, body: body)
        }

        fileprivate static func text(_ text: String, status: HTTPStatusCode = .ok) -> HTTPResponse {
            inspector(status: status, body: Data(text.utf8))
        }

        fileprivate static func file(_ bytes: Data, _ type: String, _ name: String) -> HTTPResponse {
            var answer = inspector(body: bytes, type: type)
            answer.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            return answer
        }
    }
#endif
