import FlyingFox
import Foundation

/// Answers `GET /v1/feed?after=&limit=`.
struct FeedHandler: HTTPHandler {
    let pager: FeedPager
    let conditions: FeedConditions

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let cursor = request.query["after"] ?? ""
        let (fault, delay) = await conditions.admit(cursor: cursor)
        switch fault {
        case .unavailable(let seconds):
            let headers: HTTPHeaders = [HTTPHeader("Retry-After"): "\(seconds)"]
            return HTTPResponse(statusCode: .serviceUnavailable, headers: headers)
        case .stall:
            try await Task.sleep(for: .seconds(3_600))
        case nil:
            try await Task.sleep(for: delay)
        }
        return try respond(cursor: cursor, limit: Int(request.query["limit"] ?? "30") ?? 0)
    }

    private func respond(cursor: String, limit: Int) throws -> HTTPResponse {
        let page: FeedResponse
        do {
            page = try pager.page(after: cursor, limit: limit)
        } catch {
            switch error {
            case .badLimit: return HTTPResponse(statusCode: .badRequest)
            case .unknownCursor: return HTTPResponse(statusCode: .gone)
            }
        }
        let headers: HTTPHeaders = [.contentType: "application/json", .cacheControl: "max-age=300"]
        return HTTPResponse(statusCode: .ok, headers: headers, body: try JSONEncoder.wire().encode(page))
    }
}
