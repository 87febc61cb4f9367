import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What can go wrong with a request of the feed beyond what `URLSession` reports.
enum FeedFailure: Error, Hashable {
    case badAddress
    case noAnswer
    case status(Int)

    /// What a paginator should do about a response; `nil` when it is good.
    static func sourceError(of response: HTTPURLResponse) -> SourceError? {
        let failure = FeedFailure.status(response.statusCode)
        switch response.statusCode {
        case 200..<300:
            return nil
        case 410:
            return .keyExpired(failure)
        case 408, 429, 500..<600:
            guard let delay = response.retryAfter else { return .retry(failure) }
            return .retry(failure, after: delay)
        default:
            return .fatal(failure)
        }
    }
}

extension HTTPURLResponse {
    /// The seconds of `Retry-After`, RFC 9110, section 10.2.3; this server sends no dates.
    var retryAfter: Duration? {
        value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds($0) }
    }

    /// The seconds of `max-age` in `Cache-Control`, RFC 9111, section 5.2.2.1.
    var maxAge: TimeInterval? {
        guard let header = value(forHTTPHeaderField: "Cache-Control") else { return nil }
        for directive in header.split(separator: ",") {
            let parts = directive.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0].lowercased() == "max-age" { return TimeInterval(parts[1]) }
        }
        return nil
    }
}
