import AppFoundation
import PaginatorCore

extension PaginatorError {
    /// Whether the server says that the post is not there: never was, or was deleted.
    var isOfMissingPost: Bool { code == .expiredKey || (underlying as? APIError)?.isOfMissingPost ?? false }
}
