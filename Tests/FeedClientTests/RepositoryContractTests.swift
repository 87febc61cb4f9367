import AppFoundation
import ExampleBackend
import Foundation
import PaginatorCore
import Testing

@testable import FeedClient

/// What screens expect of what lies below them, shown of the app's own repositories and of the doubles that stand for them.
@Suite(.timeLimit(.minutes(1))) struct RepositoryContractTests {
    enum Kind: CaseIterable, Sendable {
        case original, double
    }

    /// The repositories of a user who has two posts, without a connection for what waits.
    private struct Parts: Sendable {
        let posts: any FeedRepository
        let interactions: any InteractionRepository
        let drafts: any DraftRepository
        let profiles: any ProfileRepository
        let own: [Int64]
        let goOffline: @Sendable () async -> Void
        let end: @Sendable () async throws -> Void
    }

    private func make(_ kind: Kind) async throws -> Parts {
        switch kind {
        case .original:
            let rig = try await FeedRig(posts: 1)
            let app = try await rig.signIn()
            let own = try ["one", "two"].map { try rig.server.feed.add($0, by: rig.user()) }
            return Parts(
                posts: app.posts, interactions: app.interactions, drafts: app.drafts, profiles: app.profiles, own: own,
                goOffline: { await rig.goOffline() }, end: { try await rig.end(app) })
        case .double:
            let services = FeedServicesDouble()
            services.posts.add(7, content: "one")
            services.posts.add(8, content: "two")
            return Parts(
                posts: services.posts, interactions: services.interactions, drafts: services.drafts,
                profiles: services.profiles, own: [7, 8], goOffline: {}, end: {})
        }
    }

    // MARK: - Drafts

    @Test(arguments: Kind.allCases)
    func `a draft stays based on the version that it was begun with`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        #expect(try await parts.drafts.draft(of: 1) == nil)
        try await parts.drafts.save("a", of: 1, baseVersion: 3)
        try await parts.drafts.save("ab", of: 1, baseVersion: 4)
        try await parts.drafts.save("other", of: 2, baseVersion: 1)
        let draft = try await parts.drafts.draft(of: 1)
        #expect(draft?.content == "ab" && draft?.baseVersion == 3 && draft?.isInConflict == false)
        try await parts.drafts.remove(of: 1)
        #expect(try await parts.drafts.draft(of: 1) == nil)
        #expect(try await parts.drafts.draft(of: 2)?.content == "other")
        try await parts.end()
    }

    @Test(arguments: Kind.allCases)
    func `what is typed while a draft is saved stays, based on what was saved`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        try await parts.drafts.save("a", of: 1, baseVersion: 3)
        let sent = try #require(try await parts.drafts.draft(of: 1))
        try await parts.drafts.save("ab", of: 1, baseVersion: 3)
        try await parts.drafts.saved(sent, version: 4)
        let left = try #require(try await parts.drafts.draft(of: 1))
        #expect(left.content == "ab" && left.baseVersion == 4)
        try await parts.drafts.saved(left, version: 5)
        #expect(try await parts.drafts.draft(of: 1) == nil)
        try await parts.end()
    }

    @Test(arguments: Kind.allCases)
    func `a conflict stays while the user types, until they choose`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        // There is nothing to be in conflict with.
        try await parts.drafts.setConflict(of: 1, with: "theirs", version: 4)
        try await parts.drafts.keepMine(of: 1)
        #expect(try await parts.drafts.draft(of: 1) == nil)
        try await parts.drafts.save("a", of: 1, baseVersion: 3)
        try await parts.drafts.keepMine(of: 1)
        #expect(try await parts.drafts.draft(of: 1)?.baseVersion == 3)
        try await parts.drafts.setConflict(of: 1, with: "theirs", version: 4)
        try await parts.drafts.save("ab", of: 1, baseVersion: 4)
        let draft = try #require(try await parts.drafts.draft(of: 1))
        #expect(draft.content == "ab" && draft.baseVersion == 3)
        #expect(draft.serverContent == "theirs" && draft.serverVersion == 4)
        try await parts.drafts.keepMine(of: 1)
        let kept = try #require(try await parts.drafts.draft(of: 1))
        #expect(kept.content == "ab" && kept.baseVersion == 4 && !kept.isInConflict && kept.serverVersion == nil)
        try await parts.end()
    }

    // MARK: - Interactions

    /// Waits until what is pending is as wanted.
    @MainActor private func pending(
        _ posts: any FeedRepository, where isMet: @escaping @MainActor (PendingState) -> Bool
    ) async throws {
        let (states, continuation) = AsyncStream<PendingState>.makeStream()
        let observation = posts.observePending { continuation.yield($0) }
        for await state in states where isMet(state) { break }
        try Task.checkCancellation()
        withExtendedLifetime(observation) {}
    }

    private static func detail(_ id: Int64, shares: Int = 0) -> PostDetail {
        PostDetail(
            id: id, version: 1, content: "", author: Author(id: 1, name: "Ada", imagePath: ""), createdAt: Date(),
            isLiked: false, isBookmarked: false, likeCount: 5, shareCount: shares, commentCount: 0, attachments: [])
    }

    @Test(arguments: Kind.allCases)
    @MainActor func `what the user does adds to what they did before`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        await parts.goOffline()
        let (one, two) = (parts.own[0], parts.own[1])
        var ids: Set<String> = []
        for action in [InteractionAction.liked, .bookmarked] {
            ids.insert(try await parts.interactions.interact(action, on: one))
        }
        ids.insert(try await parts.interactions.interact(.liked, on: two))
        ids.insert(try await parts.interactions.share(one, seeing: 3))
        ids.insert(try await parts.interactions.share(one, seeing: 4))
        #expect(ids.count == 5)
        try await pending(parts.posts) { $0.interactions.over(Self.detail(one)).shareCount == 5 }
        let post = parts.posts.pendingInteractions.over(Self.detail(one))
        #expect(post.isLiked && post.isBookmarked && post.likeCount == 6)
        #expect(parts.posts.pendingInteractions.over(Self.detail(two)).isLiked)
        // What came from the server meanwhile is not counted back.
        #expect(parts.posts.pendingInteractions.over(Self.detail(one, shares: 9)).shareCount == 9)
        _ = try await parts.interactions.interact(.removedLike, on: one)
        try await pending(parts.posts) { !$0.interactions.over(Self.detail(one)).isLiked }
        #expect(parts.posts.pendingInteractions.over(Self.detail(one)).isBookmarked)
        try await parts.end()
    }

    @Test(arguments: Kind.allCases)
    @MainActor func `posts and comments of the same text are two, and a post on its way can be taken back`(
        _ kind: Kind
    ) async throws {
        let parts = try await make(kind)
        await parts.goOffline()
        let first = try await parts.interactions.publish("again", attachments: [], at: nil)
        let second = try await parts.interactions.publish("again", attachments: [], at: nil)
        #expect(first.id != second.id && first.rowID != second.rowID)
        try await pending(parts.posts) { $0.posts.count == 2 }
        try await parts.interactions.discard(first)
        try await pending(parts.posts) { $0.posts.map(\.id) == [second.id] }
        let one = try await parts.interactions.comment("hi", on: parts.own[0], replyingTo: nil)
        let two = try await parts.interactions.comment("hi", on: parts.own[0], replyingTo: nil)
        #expect(one.id != two.id && one.content == two.content)
        try await parts.end()
    }

    @Test(arguments: Kind.allCases)
    func `a post that is written down has no draft any more`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        await parts.goOffline()
        try await parts.drafts.save("new", of: DraftStore.newPost, baseVersion: 0)
        try await parts.drafts.save("other", of: 1, baseVersion: 1)
        _ = try await parts.interactions.publish("new", attachments: [], at: nil)
        #expect(try await parts.drafts.draft(of: DraftStore.newPost) == nil)
        #expect(try await parts.drafts.draft(of: 1)?.content == "other")
        try await parts.end()
    }

    // MARK: - Posts and profiles

    @Test(arguments: Kind.allCases)
    func `an edit of another version is refused, and of a post that is gone`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        let id = parts.own[0]
        let first = try await parts.posts.detail(id)
        let second = try await parts.posts.edit(id, content: "changed", baseVersion: first.version)
        #expect(second.version > first.version && second.content == "changed")
        await #expect { () async throws in
            _ = try await parts.posts.edit(id, content: "late", baseVersion: first.version)
        } throws: {
            ($0 as? APIError)?.status == 409
        }
        #expect(try await parts.posts.detail(id).content == "changed")
        try await parts.posts.delete(id)
        try await parts.posts.delete(id)
        for ask in [
            { _ = try await parts.posts.detail(id) },
            { _ = try await parts.posts.edit(id, content: "late", baseVersion: second.version) },
            { try await parts.posts.cancelScheduled(id) },
        ] as [@Sendable () async throws -> Void] {
            await #expect {
                try await ask()
            } throws: {
                [404, 410].contains(($0 as? APIError)?.status)
            }
        }
        #expect(try await parts.posts.detail(parts.own[1]).content == "two")
        try await parts.end()
    }

    @Test(arguments: Kind.allCases)
    func `the own profile is kept as it was last, and changed from its version only`(_ kind: Kind) async throws {
        let parts = try await make(kind)
        let own = parts.profiles.own
        let first = try await parts.profiles.profile(of: own)
        #expect(try await parts.profiles.kept() == first)
        let second = try await parts.profiles.setAbout("new", baseVersion: first.version)
        #expect(second.about == "new" && second.version > first.version)
        #expect(try await parts.profiles.kept() == second)
        await #expect {
            _ = try await parts.profiles.setAbout("late", baseVersion: first.version)
        } throws: {
            ($0 as? APIError)?.status == 409
        }
        #expect(try await parts.profiles.profile(of: own).about == "new")
        try await parts.end()
    }
}
