package import AppFoundation
import PaginatorCore
import PaginatorLists

/// The state of a user's screen.
package struct ProfileState: Sendable {
    /// The profile; `nil` while it is being loaded.
    package var profile: UserProfile?
    /// Whether it is the user's own profile, which can be edited.
    package var isOwn = false
    /// The user's unsaved profile text; it may be in conflict with another device.
    package var draft: Draft?
    package var items: PostRows
    package var isLoading = true
    package var isPaging = false
    package var isAtEnd = false
    package var errorMessage: String? { problem.map(texts.message) }
    package var problem: FeedProblem?
    package var texts = AppTexts()
}

/// The state holder of a user's screen.
@MainActor
package final class ProfileStateHolder {
    package private(set) var state: ProfileState
    private let app: any FeedServices
    private let user: Int64
    private let list: PaginatorList<Post, Int64>
    private var execution: PaginatorExecution?
    private var saving: Task<EditOutcome, any Error>?
    private var observations: [any AnyObject & Sendable] = []
    /// Whether the profile is to be loaded: loading it has failed, or has not ended yet.
    private var isWanted = false
    /// Whether there was no connection at the last change.
    private var isOffline = false
    private lazy var emitter = Emitter<ProfileState> { [weak self] in self?.state }

    package init(_ app: some FeedServices, user: Int64) {
        self.app = app
        self.user = user
        list = app.posts.profileList(of: user)
        state = ProfileState(items: PostRows(snapshot: list.snapshot, pending: app.posts.pendingInteractions))
        state.texts = app.environment.texts
        state.isOwn = user == app.profiles.own
        execution = list.observe(onMain: { [weak self] update in self?.show(update) })
        observations.append(
            app.posts.observePending { [weak self] pending in
                guard let self, state.items.pending != pending.interactions else { return }
                state.items = PostRows(snapshot: state.items.snapshot, pending: pending.interactions)
                emitter.changed()
            })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in await self?.show(environment) }
            })
        observations.append(app.observeSession { [weak self] in Task { @MainActor in await self?.showSession() } })
        isOffline = !app.environment.state.isOnline
    }

    deinit {
        execution?.cancel()
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ProfileState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (ProfileState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ProfileState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    package func start() async throws {
        list.loadNext()
        if state.isOwn {
            show(try await app.profiles.kept())
            try await showDraft()
        }
        await loadProfile()
    }

    package func refresh() async {
        list.refresh()
        await loadProfile()
    }

    package func retry() async {
        list.retry()
        await loadProfile()
    }

    /// Changes the user's own profile text, a stored draft until it is saved.
    package func write(about: String) async throws {
        guard state.isOwn else { return }
        try await app.drafts.save(
            String(about.prefix(UserProfile.aboutLimit)), of: DraftStore.ownProfile,
            baseVersion: state.profile?.version ?? 0)
        try await showDraft()
    }

    /// Saves the draft. Without a connection, and in a conflict with another device, it stays.
    package func saveDraft() async throws -> EditOutcome {
        // One after the other: a second tap sends only text that was written after the first.
        let saving = Task { [app, earlier = saving] in
            _ = await earlier?.result
            return try await app.saveProfile()
        }
        self.saving = saving
        let outcome = try await saving.value
        if state.isOwn { show(try await app.profiles.kept()) }
        try await showDraft()
        return outcome
    }

    /// Resolves the conflict of the draft with the user's choice.
    package func resolveConflict(_ choice: ConflictChoice) async throws -> EditOutcome {
        switch choice {
        case .takeTheirs:
            try await discardDraft()
            return .saved
        case .keepMine:
            try await app.drafts.keepMine(of: DraftStore.ownProfile)
            return try await saveDraft()
        }
    }

    package func discardDraft() async throws {
        try await app.drafts.remove(of: DraftStore.ownProfile)
        try await showDraft()
    }

    private func showDraft() async throws {
        state.draft = try await app.drafts.draft(of: DraftStore.ownProfile)
        emitter.changed()
    }

    /// Shows the texts in the user's language, and retries loads that failed without a connection when it returns. One
    /// that has not ended may fail later, or never end.
    private func show(_ environment: AppEnvironment.State) async {
        let isBack = isOffline && environment.isOnline
        isOffline = !environment.isOnline
        if state.texts != environment.texts {
            state.texts = environment.texts
            emitter.changed()
        }
        if isBack { await retryFailed() }
    }

    /// Retries refused loads after a sign-in.
    private func showSession() async {
        if app.isSignedIn { await retryFailed() }
    }

    private func retryFailed() async {
        if state.problem != nil { list.retry() }
        if isWanted { await loadProfile() }
    }

    private func loadProfile() async {
        isWanted = true
        do {
            show(try await app.profiles.profile(of: user))
            isWanted = false
            emitter.changed()
        } catch {
            // The known profile stays; the list of posts shows the error.
        }
    }

    /// Answers may come in another order than that of the calls, so an older one shows nothing.
    private func show(_ profile: UserProfile?) {
        guard let profile, profile.version >= state.profile?.version ?? .min else { return }
        state.profile = profile
    }

    package func visible(_ rows: Range<Int>) { list.hint(visible: rows) }
    package func toggleLike(_ row: PostRow) async throws { try await app.toggleLike(row.id, isLiked: row.isLiked) }

    private func show(_ update: PaginatorListUpdate<Post, Int64>) {
        let status = update.status
        let items = PostRows(snapshot: update.snapshot, pending: state.items.pending)
        let looksTheSame = state.items.looksLike(items, after: update.difference)
        var new = state
        new.items = items
        new.texts = app.environment.texts
        new.isLoading = update.snapshot.isEmpty && !status.hasLoaded && status.refresh.error == nil
        new.isPaging = status.next.isLoading && !update.snapshot.isEmpty
        new.isAtEnd = status.next == .endReached
        new.problem = (status.refresh.error ?? status.next.error).map { FeedProblem($0) }
        let isSame =
            looksTheSame && new.isLoading == state.isLoading && new.isPaging == state.isPaging
            && new.isAtEnd == state.isAtEnd && new.problem == state.problem && new.texts == state.texts
        state = new
        if !isSame { emitter.changed() }
    }
}
