struct RequestCheck: Sendable {
    let config: PaginatorConfig
    let sourceRule: KeyRule?

    func refusal(of request: PageRequest) -> PaginatorError? {
        refusal(ofKey: request.key, pageSize: request.pageSize, scope: request.scope)
            ?? request.debounce.flatMap { refusal(of: $0.name, named: "debounce key") }
    }

    func refusal(of request: AroundRequest) -> PaginatorError? {
        if let refusal = refusal(of: request.page) { return refusal }
        guard request.depthLevel < 0 || request.depthLevel > config.maxDepthLevel else { return nil }
        return PaginatorError(
            .invalidDepth, "The depth must be from 0 to \(config.maxDepthLevel), not \(request.depthLevel).")
    }

    func refusal(ofKey key: String, pageSize: Int, scope: String) -> PaginatorError? {
        if !scope.isEmpty, let refusal = refusal(of: scope, named: "scope") { return refusal }
        if let refusal = refusal(ofKey: key) { return refusal }
        guard pageSize < 1 || pageSize > config.maxPageSize else { return nil }
        return PaginatorError(
            .invalidPageSize, "The page size must be from 1 to \(config.maxPageSize), not \(pageSize).")
    }

    // Returns the error of an invalid key, or `nil`. Runs the user's key rule, so no lock may be held.
    func refusal(ofKey key: String) -> PaginatorError? {
        guard !key.isEmpty else { return PaginatorError(.invalidKey, "The key must not be empty.") }
        if let refusal = refusal(of: key, named: "key") { return refusal }
        return (config.keyRule.refusal(of: key) ?? sourceRule?.refusal(of: key)).map {
            PaginatorError(.invalidKey, "The key \(key.prefix(80).debugDescription) was refused: \($0).")
        }
    }

    // Returns the page without invalid keys of neighbors, since page keys come from the source.
    func checked(_ page: LoadedPage) -> LoadedPage {
        let (next, previous) = (refusal(of: page.details.next), refusal(of: page.details.previous))
        if next == nil, previous == nil { return page }
        var (page, details) = (page, page.details)
        if let next { details.next = .failure(next) }
        if let previous { details.previous = .failure(previous) }
        page.details = details
        return page
    }

    private func refusal(of neighbor: Result<String, PaginatorError>?) -> PaginatorError? {
        if case .success(let key)? = neighbor { refusal(ofKey: key) } else { nil }
    }

    func refusal(ofTags tags: [String]) -> PaginatorError? {
        guard tags.count <= 1_000 else {
            return PaginatorError(.invalidKey, "The page has \(tags.count) tags; at most 1000 are allowed.")
        }
        return tags.lazy.compactMap { refusal(of: $0, named: "tag") }.first
    }

    private func refusal(of text: String, named name: String) -> PaginatorError? {
        let bytes = text.utf8.count
        // Checked before the bytes are scanned, because the text may come from a hostile server.
        guard bytes <= config.maxKeyBytes else {
            return PaginatorError(
                .invalidKey, "The \(name) has \(bytes) bytes; at most \(config.maxKeyBytes) are allowed.")
        }
        guard !text.containsNUL else {
            return PaginatorError(.invalidKey, "The \(name) must not contain a NUL character.")
        }
        return nil
    }
}
