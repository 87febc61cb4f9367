import AppFoundation

/// What became of an edit.
package enum EditOutcome: Sendable, Equatable {
    /// The server has what was written.
    case saved
    /// Somebody changed it meanwhile; the draft has both texts, and the user chooses.
    case conflict
    /// It is not there any more; the draft stays.
    case gone
    /// The server does not take the text; the draft stays, to be changed.
    case refused
    /// It did not come to the server; the draft stays, and can be sent again.
    case unsent(FeedProblem)
}

/// Sends a draft to the server, and keeps it unless the server has it.
struct DraftSaving: Sendable {
    let drafts: any DraftRepository
    let id: Int64
    /// Sends it, and returns the version that the server has then.
    let send: @Sendable (Draft) async throws -> Int
    /// What the server has.
    let server: @Sendable () async throws -> (content: String, version: Int)
    let isGone: @Sendable () async throws -> Void

    func callAsFunction() async throws -> EditOutcome {
        // Somebody has tapped twice: nothing is left to be saved.
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
            // It had come before, and its answer was lost.
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
