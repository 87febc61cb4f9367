import AppFoundation

extension APIError {
    /// Whether the server says that the post is not there: never was, or was deleted.
    var isOfMissingPost: Bool { status == 404 || status == 410 }
}
