import AppFoundation
import Foundation
import PaginatorCore
import PaginatorHTTP
import RichText

extension PushSource<PostChange> {
    /// The events of posts on the backend; it continues after the last event when the connection returns.
    static func postEvents(baseURL: URL, token: @escaping @Sendable () -> String?) -> PushSource {
        var options = HTTPSourceOptions()
        let session = options.session
        options.authentication = .bearer {
            #if canImport(FoundationNetworking)
                // On Linux, Foundation polls whether a connection opened for a stream is writable, which it always is,
                // and so uses half a processor core. A connection that another request has opened does not: if that
                // request fails, no stream is opened, and it is tried again later.
                _ = try await session.send(HTTPEndpoint(baseURL.appending(path: "v1/health")))
            #endif
            return token() ?? ""
        }
        return .serverSentEvents(
            HTTPEndpoint(baseURL.appending(path: "v1/feed/events")), options: options
        ) { name, data in
            switch name {
            case "new-posts": return .newRows(Int(data) ?? 1)
            case "edited":
                let post = try WireCoding.decoder().decode(PostDetailAnswer.self, from: Data(data.utf8)).model
                let summary = RichText(html: post.content).summary()
                return .change(PostChange(postID: post.id, kind: .edited(post, summary: summary)))
            case "deleted": return Int64(data).map { .change(PostChange(postID: $0, kind: .deleted)) }
            default: return nil
            }
        }
    }
}
