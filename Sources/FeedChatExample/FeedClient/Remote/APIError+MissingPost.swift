import AppFoundation

extension APIError {
    /// Whether the server reports that the post does not exist or was deleted.
    var isOfMissingPost: Bool { status == 404 || status == 410 }
}
