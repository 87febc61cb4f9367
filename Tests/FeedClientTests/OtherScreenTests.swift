import AppFoundation
import Foundation
import PaginatorCore
import RichText
import Testing

@testable import FeedClient

/// The screens beside the feed, over doubles of everything below them.
@MainActor @Suite(.timeLimit(.minutes(1))) struct OtherScreenTests {
    private let services = FeedServicesDouble()

    // MARK: - A new post

    private func compose(_ text: String) async throws -> ComposeStateHolder {
        let compose = ComposeStateHolder(services)
        try await compose.edit { $0.insert(text, at: 0) }
        return compose
    }

    @Test func `a text is a draft from its first letter, and goes out once`() async throws {
        let first = try await compose("Hi")
        first.attach(NewAttachment(type: "image", content: Data([1])))
        let second = ComposeStateHolder(services)
        try await second.start()
        #expect(second.state.draft.text == "Hi")
        try await first.send()
        #expect(first.state.isDone && !first.state.canSend)
        try await first.send()
        #expect(first.state.errorMessage == "There is nothing to send.")
        let written = services.interactions.written.withLock { $0 }
        #expect(written.posts.count == 1 && written.posts[0].contains("Hi") && written.files == 1)
        let third = ComposeStateHolder(services)
        try await third.start()
        #expect(third.state.draft.text.isEmpty)
    }

    @Test func `a second tap sends nothing twice, and what is typed meanwhile is of the next post`() async throws {
        let screen = try await compose("Hi")
        services.interactions.whilePublishing.withLock {
            $0 = {
                try await screen.send()
                try await screen.edit { $0.insert("Later", at: 0) }
            }
        }
        try await screen.send()
        #expect(services.interactions.written.withLock { $0.posts.count } == 1)
        #expect(screen.state.draft.text == "Later" && !screen.state.isDone && screen.state.errorMessage == nil)
        let later = ComposeStateHolder(services)
        try await later.start()
        #expect(later.state.draft.text == "Later")
        try await screen.send()
        #expect(services.interactions.written.withLock { $0.posts.count } == 2)
        #expect(screen.state.isDone)
    }

    @Test func `what cannot be kept stays written, and goes out later`() async throws {
        let screen = try await compose("Hi")
        services.interactions.isFull.withLock { $0 = true }
        services.interactions.whilePublishing.withLock {
            $0 = { try await screen.edit { $0.insert(" there", at: 0) } }
        }
        await #expect(throws: CocoaError.self) { try await screen.send() }
        #expect(screen.state.draft.text == "Hi there" && !screen.state.isDone)
        #expect(services.drafts.kept.withLock { $0.count } == 1)
        services.interactions.isFull.withLock { $0 = false }
        try await screen.send()
        #expect(screen.state.isDone && services.drafts.kept.withLock { $0.isEmpty })
    }

    @Test func `a time that has passed is told, and sends nothing`() async throws {
        let screen = try await compose("Hi")
        screen.schedule(at: Date(timeIntervalSinceNow: -60))
        try await screen.send()
        #expect(screen.state.errorMessage == "This time has passed." && !screen.state.isDone)
        #expect(services.interactions.written.withLock { $0.posts.isEmpty })
    }

    // MARK: - Posts that appear later

    @Test func `posts for later show, are taken back, and are asked for again when the connection is back`()
        async throws
    {
        let (one, two) = (
            ScheduledPost(id: 1, summary: "One", publishAt: .distantFuture),
            ScheduledPost(id: 2, summary: "Two", publishAt: .distantFuture)
        )
        services.posts.later.withLock { $0 = [one, two] }
        let screen = ScheduledStateHolder(services)
        #expect(screen.state.isLoading)
        await screen.refresh()
        #expect(screen.state.posts == [one, two] && !screen.state.isLoading)
        await screen.cancel(one)
        #expect(screen.state.posts == [two] && screen.state.problem == nil)
        // It has appeared meanwhile, so there is nothing to take back.
        await screen.cancel(one)
        #expect(screen.state.posts == [two] && screen.state.problem == nil)

        services.posts.isBroken.withLock { $0 = true }
        await screen.refresh()
        #expect(screen.state.problem == .unreachable && screen.state.posts == [two])
        services.environment.update { $0.link = .none }
        services.posts.isBroken.withLock { $0 = false }
        services.environment.update { $0.link = .good }
        _ = try await screen.first { $0.problem == nil && !$0.isLoading }
    }

    @Test func `an answer that comes after that to a later call takes nothing back`() async throws {
        let (one, two) = (
            ScheduledPost(id: 1, summary: "One", publishAt: .distantFuture),
            ScheduledPost(id: 2, summary: "Two", publishAt: .distantFuture)
        )
        services.posts.later.withLock { $0 = [one, two] }
        let screen = ScheduledStateHolder(services)
        services.posts.beforeAnswer.withLock { $0 = { await screen.cancel(one) } }
        await screen.refresh()
        #expect(screen.state.posts == [two] && !screen.state.isLoading)
    }

    @Test func `posts for later are asked for again where the connection comes back during a call`() async throws {
        let post = ScheduledPost(id: 1, summary: "One", publishAt: .distantFuture)
        services.posts.later.withLock { $0 = [post] }
        let screen = ScheduledStateHolder(services)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (lost, lose) = AsyncStream<Void>.makeStream()
        services.posts.beforeAnswer.withLock {
            $0 = { [isBroken = services.posts.isBroken] in
                ask.finish()
                for await _ in lost {}
                isBroken.withLock { $0 = true }
            }
        }
        services.environment.update { $0.link = .none }
        let first = Task { await screen.refresh() }
        for await _ in asked {}
        services.environment.update { $0.link = .good }
        _ = try await screen.first { $0.posts == [post] && !$0.isLoading }
        lose.finish()
        await first.value
        #expect(screen.state.posts == [post] && screen.state.problem == nil)
    }

    @Test func `a post on its way shows, and can be taken back`() async throws {
        let writer = try await compose("Later")
        writer.schedule(at: .distantFuture)
        let screen = ScheduledStateHolder(services)
        try await writer.send()
        let waiting = try await screen.first { !$0.waiting.isEmpty }.waiting
        #expect(waiting.count == 1)
        try await screen.discard(waiting[0])
        _ = try await screen.first { $0.waiting.isEmpty }
    }

    // MARK: - A profile

    @Test func `the own profile shows from the disk, and is asked for again when the connection is back`() async throws
    {
        services.profiles.onDisk.withLock { $0 = UserProfile(id: 1, name: "Ada", about: "zero", version: 0) }
        services.profiles.isBroken.withLock { $0 = true }
        let screen = ProfileStateHolder(services, user: 1)
        try await screen.start()
        #expect(screen.state.isOwn && screen.state.profile?.about == "zero")
        _ = try await screen.first { $0.items.count == 30 }
        services.environment.update { $0.link = .none }
        services.profiles.isBroken.withLock { $0 = false }
        services.environment.update { $0.link = .good }
        _ = try await screen.first { $0.profile?.about == "one" }
    }

    @Test func `a profile is asked for again where the connection comes back during a call`() async throws {
        services.environment.update { $0.link = .none }
        let screen = ProfileStateHolder(services, user: 2)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (lost, lose) = AsyncStream<Void>.makeStream()
        services.profiles.beforeAnswer.withLock {
            $0 = {
                ask.finish()
                for await _ in lost {}
                throw APIError(.unreachable)
            }
        }
        let first = Task { try await screen.start() }
        for await _ in asked {}
        services.environment.update { $0.link = .good }
        _ = try await screen.first { $0.profile?.name == "Bob" }
        lose.finish()
        try await first.value
        #expect(screen.state.profile?.name == "Bob")
    }

    @Test func `an answer from before a change of the profile shows nothing old`() async throws {
        let screen = ProfileStateHolder(services, user: 1)
        try await screen.start()
        try await screen.write(about: "new")
        services.profiles.beforeAnswer.withLock { $0 = { _ = try await screen.saveDraft() } }
        await screen.refresh()
        #expect(screen.state.profile?.about == "new")
    }

    @Test(arguments: [ConflictChoice.keepMine, .takeTheirs])
    func `two devices that change the profile leave the choice to the user`(_ choice: ConflictChoice) async throws {
        let screen = ProfileStateHolder(services, user: 1)
        try await screen.start()
        try await screen.write(about: "mine")
        services.profiles.onServer.withLock { $0[1] = UserProfile(id: 1, name: "Ada", about: "theirs", version: 2) }
        #expect(try await screen.saveDraft() == .conflict)
        #expect(screen.state.draft?.content == "mine" && screen.state.draft?.serverContent == "theirs")
        #expect(try await screen.resolveConflict(choice) == .saved)
        #expect(screen.state.draft == nil)
        let mine = choice == .keepMine
        #expect(services.profiles.onServer.withLock { $0[1]?.about } == (mine ? "mine" : "theirs"))
        #expect(screen.state.profile?.about == (mine ? "mine" : "theirs"))
    }

    @Test func `nobody writes about somebody else`() async throws {
        let screen = ProfileStateHolder(services, user: 2)
        try await screen.start()
        #expect(!screen.state.isOwn && screen.state.profile?.name == "Bob")
        try await screen.write(about: "vandalism")
        #expect(screen.state.draft == nil && services.drafts.kept.withLock { $0.isEmpty })
    }

    // MARK: - A post

    private func open(_ post: Int64) async throws -> PostDetailStateHolder {
        let screen = PostDetailStateHolder(services, post: post)
        try await screen.start()
        return screen
    }

    @Test func `a post comes with its comments page by page, and with the replies of a thread`() async throws {
        services.posts.add(7, content: "<b>bold</b>")
        let screen = try await open(7)
        let state = try await screen.first { $0.post != nil && $0.text != nil && $0.comments.count == 20 }
        #expect(state.isOwn && state.text?.plainText == "bold")
        #expect(state.comments.map(\.content) == (1...20).map(String.init) && state.hasMoreComments)
        screen.loadMoreComments()
        _ = try await screen.first { $0.comments.map(\.content) == (1...25).map(String.init) && !$0.hasMoreComments }
        try await screen.reply("indeed", to: screen.state.comments[2])
        #expect(try await screen.first { $0.threads[3]?.replies.count == 2 }.threads[3]?.hasMore == false)
        try await screen.comment("first")
        #expect(services.interactions.written.withLock { $0.comments } == ["7/3: indeed", "7: first"])
    }

    @Test func `a like lies over the post, and a comment that was given up is sent again`() async throws {
        services.posts.add(7)
        let screen = try await open(7)
        _ = try await screen.first { $0.post != nil }
        try await screen.toggleLike()
        #expect(try await screen.first { $0.post?.isLiked == true }.post?.likeCount == 1)
        services.posts.pending.update { $0.failedComments = [.make("lost", on: 7), .make("elsewhere", on: 8)] }
        let failed = try await screen.first { !$0.failedComments.isEmpty }.failedComments
        #expect(failed.map(\.content) == ["lost"])
        try await screen.resend(failed[0])
        _ = try await screen.first { $0.failedComments.isEmpty }
        #expect(services.interactions.written.withLock { $0.comments } == ["again: lost"])
    }

    @Test(arguments: [ConflictChoice.keepMine, .takeTheirs])
    func `an edit waits without a connection, and two devices leave the choice to the user`(
        _ choice: ConflictChoice
    ) async throws {
        services.posts.add(7)
        let screen = try await open(7)
        _ = try await screen.first { $0.post != nil }
        try await screen.writeDraft("mine")
        services.posts.isBroken.withLock { $0 = true }
        #expect(try await screen.saveDraft() == .unsent(.unreachable))
        #expect(screen.state.draft?.content == "mine")
        services.posts.isBroken.withLock { $0 = false }
        services.posts.add(7, version: 2, content: "theirs")
        #expect(try await screen.saveDraft() == .conflict)
        #expect(screen.state.draft?.serverContent == "theirs")
        #expect(try await screen.resolveConflict(choice) == .saved)
        #expect(screen.state.draft == nil)
        #expect(services.posts.details.withLock { $0[7]?.content } == (choice == .keepMine ? "mine" : "theirs"))
    }

    @Test(
        arguments: [
            (APIError(.status, status: 400), .refused), (APIError(.status, status: 413), .refused),
            (APIError(.status, status: 503), .unsent(.unreachable)),
            (APIError(.status, status: 429), .unsent(.unreachable)),
            (APIError(.tokenRefused, status: 401), .unsent(.signedOut)), (APIError(.timedOut), .unsent(.tooSlow)),
            (APIError(.unreachable), .unsent(.unreachable)),
        ] as [(APIError, FeedClient.EditOutcome)])
    func `an edit that does not come through says why, and stays`(
        _ error: APIError, _ outcome: FeedClient.EditOutcome
    )
        async throws
    {
        services.posts.add(7)
        let screen = try await open(7)
        _ = try await screen.first { $0.post != nil }
        try await screen.writeDraft("mine")
        services.posts.editRefusal.withLock { $0 = error }
        #expect(try await screen.saveDraft() == outcome)
        #expect(screen.state.draft?.content == "mine" && screen.state.draft?.isInConflict == false)
        services.posts.editRefusal.withLock { $0 = nil }
        #expect(try await screen.saveDraft() == .saved)
    }

    @Test func `a second tap saves nothing twice, and is no conflict`() async throws {
        services.posts.add(7)
        let screen = try await open(7)
        _ = try await screen.first { $0.post != nil }
        try await screen.writeDraft("mine")
        async let first = screen.saveDraft()
        async let second = screen.saveDraft()
        let outcomes = try await [first, second]
        #expect(outcomes == [.saved, .saved])
        #expect(try await screen.saveDraft() == .saved)
        #expect(services.posts.details.withLock { $0[7]?.version } == 2)
        #expect(screen.state.draft == nil)
    }

    @Test func `an edit that was taken though its answer was lost is no conflict`() async throws {
        services.posts.add(7)
        let screen = try await open(7)
        _ = try await screen.first { $0.post != nil }
        try await screen.writeDraft("mine")
        services.posts.add(7, version: 2, content: "mine")
        #expect(try await screen.saveDraft() == .saved)
        #expect(screen.state.draft == nil)
    }

    @Test func `a post that its screen finds gone goes from every list`() async throws {
        let screen = try await open(7)
        _ = try await screen.first { $0.isGone }
        while services.posts.calls.withLock({ $0.isEmpty }) { try await nextTurn() }
        services.posts.add(8)
        _ = try await open(8).first { $0.post != nil }
        #expect(services.posts.calls.withLock { $0 } == ["gone 7"])
    }

    @Test func `a post that is gone says so, and one that failed comes when the connection is back`() async throws {
        let gone = try await open(7)
        #expect(try await gone.first { $0.isGone }.problem == nil)
        services.posts.add(8)
        services.posts.isBroken.withLock { $0 = true }
        let screen = try await open(8)
        _ = try await screen.first { $0.problem != nil && !$0.isGone }
        services.environment.update { $0.link = .none }
        services.posts.isBroken.withLock { $0 = false }
        services.environment.update { $0.link = .good }
        _ = try await screen.first { $0.post != nil && $0.problem == nil }
        try await screen.delete()
        #expect(services.posts.details.withLock { $0[8] } == nil)
    }
}
