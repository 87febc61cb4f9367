import AppFoundation
import Foundation
import PaginatorCore
import PaginatorHTTP
import RichText

extension PushSource<PostChange> {
    /// What happens to posts on the backend; it goes on behind the last event when the connection comes back.
    static func postEvents(baseURL: URL, token: @escaping @Sendable () -> String?) -> PushSource {
        var options = HTTPSourceOptions()
        let session = options.session
        options.authentication = .bearer {
            #if canImport(FoundationNetworking)
                // On Linux, Foundation keeps watching whether a connection that was opened for a stream can be written, which
                // it always can, and so takes half a core. One that another request has opened does not have that fault:
                // where that request is lost, no stream is opened, and it is tried again later.
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
