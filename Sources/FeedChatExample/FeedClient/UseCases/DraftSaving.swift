import AppFoundation

/// The result of an edit.
package enum EditOutcome: Sendable, Equatable {
    /// The server has saved it.
    case saved
    /// Another device changed it meanwhile; the draft has both texts, and the user chooses.
    case conflict
    /// The post was deleted; the draft stays.
    case gone
    /// The server refuses the text; the draft stays, to be changed.
    case refused
    /// It did not reach the server; the draft stays, and can be sent again.
    case unsent(FeedProblem)
}

/// Sends a draft to the server, and keeps it unless the server has saved it.
struct DraftSaving: Sendable {
    let drafts: any DraftRepository
    let id: Int64
    /// Sends the draft, and returns the server's new version.
    let send: @Sendable (Draft) async throws -> Int
    /// Returns the server's text and version.
    let server: @Sendable () async throws -> (content: String, version: Int)
    let isGone: @Sendable () async throws -> Void

    func callAsFunction() async throws -> EditOutcome {
        // A second tap, when the draft is already saved.
        guard let draft = try await drafts.draft(of: id) else { return .saved }
        guard !draft.isInConflict else { return .conflict }
        do {
            let version = try await send(draft)
            try await drafts.saved(draft, version: version)
            return .saved
        } catch let error as APIError {
            guard error.status == 409 else { return try await outcome(of: error) }
        }
        do {
            let server = try await server()
            // An earlier request had arrived, but its answer was lost.
            if server.content == draft.content {
                try await drafts.saved(draft, version: server.version)
                return .saved
            }
            try await drafts.setConflict(of: id, with: server.content, version: server.version)
            return .conflict
        } catch let error as APIError {
            return try await outcome(of: error)
        }
    }

    private func outcome(of error: APIError) async throws -> EditOutcome {
        if error.isOfMissingPost {
            try await isGone()
            return .gone
        }
        return error.outboxFailure.kind == .refused ? .refused : .unsent(FeedProblem(error))
    }
}
