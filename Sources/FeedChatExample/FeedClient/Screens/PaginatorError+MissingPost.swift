import AppFoundation
import PaginatorCore

extension PaginatorError {
    /// Whether the server reports that the post does not exist or was deleted.
    var isOfMissingPost: Bool { code == .expiredKey || (underlying as? APIError)?.isOfMissingPost ?? false }
}
