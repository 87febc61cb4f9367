import PaginatorCore
import PaginatorLists

/// The rows that lists show before the server has them, by request.
///
/// A request is read from the database and shown afterwards. If it ends in between, that is recorded, so that its row
/// is not left over.
final class ShownRows: Sendable {
    private let posts = Guarded(Rows<Post>())
    private let comments = Guarded(Rows<Comment>())

    /// The shown rows, and the results of the last requests.
    private struct Rows<Value: Sendable> {
        /// Requests are shown soon after they were read, so few end in between.
        private static var limit: Int { 100 }
        private var edits: [String: PaginatorEdit<Value>] = [:]
        private var ended: [(id: String, value: Value?)] = []

        /// - Returns: the result of the request; `nil` if it has not ended, and the row stays.
        mutating func add(_ id: String, _ edit: PaginatorEdit<Value>) -> Value?? {
            if let end = ended.last(where: { $0.id == id }) { return .some(end.value) }
            edits[id] = edit
            return nil
        }

        mutating func end(_ id: String, as value: Value?) -> PaginatorEdit<Value>? {
            ended.append((id, value))
            if ended.count > Self.limit { ended.removeFirst() }
            return take(id)
        }

        mutating func take(_ id: String) -> PaginatorEdit<Value>? { edits.removeValue(forKey: id) }

        mutating func forget(_ id: String) -> PaginatorEdit<Value>? {
            ended.removeAll { $0.id == id }
            return take(id)
        }
    }

    private static func add<Value>(
        _ id: String, to rows: Guarded<Rows<Value>>, _ makeEdit: () -> PaginatorEdit<Value>
    ) {
        rows.withLock { $0.take(id) }?.rollBack()
        let edit = makeEdit()
        if let end = rows.withLock({ $0.add(id, edit) }) { Self.end(edit, as: end) }
    }

    private static func end<Value>(_ edit: PaginatorEdit<Value>?, as value: Value?) {
        if let value { edit?.commit(with: value) } else { edit?.rollBack() }
    }

    func add(_ request: PostRequest, _ makeEdit: () -> PaginatorEdit<Post>) {
        Self.add(request.requestID, to: posts, makeEdit)
    }

    /// Gives the row the server's id and values, so that it is never shown twice; removes it without them.
    func settle(_ request: PostRequest, as post: Post?) {
        Self.end(posts.withLock { $0.end(request.requestID, as: post) }, as: post)
    }

    /// Removes the row of a post that was discarded, or is about to be sent again.
    func rollBack(_ request: PostRequest) {
        posts.withLock { $0.forget(request.requestID) }?.rollBack()
    }

    func add(_ request: CommentRequest, _ makeEdit: () -> PaginatorEdit<Comment>) {
        Self.add(request.requestID, to: comments, makeEdit)
    }

    func settle(_ request: CommentRequest, as comment: Comment?) {
        Self.end(comments.withLock { $0.end(request.requestID, as: comment) }, as: comment)
    }

    /// Removes the row of a comment that is about to be sent again.
    func forget(_ request: CommentRequest) {
        comments.withLock { $0.forget(request.requestID) }?.rollBack()
    }
}
