import AppPage
import FeedClient
import FlyingFox
import Foundation
import PaginatorInspectorPage

/// Answers the requests of the page in the browser.
struct AppHandler: HTTPHandler {
    let gate: AppGate
    let model: AppModel

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let refusal = gate.refusal(
            path: request.path, host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
            site: request.headers[HTTPHeader("Sec-Fetch-Site")])
        if let refusal { return .text(refusal, .forbidden) }
        guard request.method == .GET else { return .text("Only GET is answered.", .methodNotAllowed) }
        switch request.path {
        case "/app": return try await WebSocketHTTPHandler(handler: WindowHandler(model: model)).handleRequest(request)
        case "/inspector":
            guard let address = model.inspector.address else { return .text(model.inspector.text, .notFound) }
            var answer = HTTPResponse.text(address, .temporaryRedirect)
            answer.headers[.location] = address
            return answer
        case let path where path.hasPrefix("/media/"):
            let width = request.query["w"].flatMap { Int($0) } ?? 480
            return await media(String(path.dropFirst(6)), width: min(max(width, 1), 4_000))
        default:
            guard let file = try PageFiles.app.file(at: request.path) else {
                return .text("There is no such page.", .notFound)
            }
            return .app(Data(file.bytes), type: file.type)
        }
    }

    /// Returns an image of the app, from the media loader's caches or the backend, in the quality that its place needs.
    private func media(_ path: String, width: Int) async -> HTTPResponse {
        if path.hasPrefix("/sample/") {
            guard let sample = SampleAttachment(String(path.dropFirst(8))) else { return .text("", .notFound) }
            return .app(sample.content, type: "image/png", cache: "private, max-age=86400")
        }
        guard let image = await MediaAnswer.image(path, width: width, model.feed.media) else {
            return .text("There is no such image here.", .notFound)
        }
        return .app(image.bytes, type: image.type, cache: image.isFinal ? "private, max-age=86400" : "no-store")
    }
}

extension HTTPResponse {
    /// Returns an answer that no other site can use, and that loads nothing from other hosts.
    fileprivate static func app(
        _ body: Data, type: String, status: HTTPStatusCode = .ok, cache: String = "no-store"
    ) -> HTTPResponse {
        let headers: HTTPHeaders = [
            .contentType: type, .cacheControl: cache,
            HTTPHeader("Content-Security-Policy"):
                "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            HTTPHeader("Referrer-Policy"): "no-referrer",
            HTTPHeader("X-Content-Type-Options"): "nosniff",
        ]
        return HTTPResponse(statusCode: status, headers: headers, body: body)
    }

    fileprivate static func text(_ text: String, _ status: HTTPStatusCode) -> HTTPResponse {
        app(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }
}
