import AppFoundation
import ExampleBackend
import GRDB
import Testing

@testable import FeedClient

/// What users say about themselves.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ProfileTests {
    private func profile(_ app: FeedApp, of user: BackendUser) async throws -> ProfileStateHolder {
        let profile = ProfileStateHolder(app, user: user.id)
        try await profile.start()
        return profile
    }

    @Test func `one's own profile is edited as a draft, which waits offline and over a restart until it is saved`()
        async throws
    {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let own = try await profile(app, of: rig.user())
        #expect(own.state.isOwn && own.state.profile?.about == "" && own.state.draft == nil)
        await rig.server.stop()
        try await own.write(about: "I wrote the first program.")
        #expect(try await own.saveDraft() == .unsent(.unreachable))
        #expect(own.state.draft?.content == "I wrote the first program.")
        try await app.close()
        await rig.goOffline()
        let again = try await rig.reopen()
        try await rig.server.start()
        let later = try await profile(again, of: rig.user())
        #expect(later.state.draft?.content == "I wrote the first program.")
        #expect(TextFrames.profile(later.state).contains("✎ I wrote the first program."))
        #expect(try await later.saveDraft() == .saved)
        #expect(later.state.draft == nil && later.state.profile?.about == "I wrote the first program.")
        let elsewhere = try await rig.signInElsewhere("Somebody")
        let seen = try await profile(elsewhere, of: rig.user())
        #expect(!seen.state.isOwn && seen.state.profile?.about == "I wrote the first program.")
        try await rig.end(again, elsewhere)
    }

    @Test func `an edit of another device is a conflict, which the user ends`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let own = try await profile(app, of: rig.user())
        for choice in [ConflictChoice.keepMine, .takeTheirs] {
            try await own.write(about: "mine, \(choice)")
            try rig.server.feed.setAbout("theirs, \(choice)", of: rig.user())
            #expect(try await own.saveDraft() == .conflict)
            #expect(own.state.draft?.serverContent == "theirs, \(choice)")
            #expect(try await own.resolveConflict(choice) == .saved)
            #expect(own.state.draft == nil)
            #expect(own.state.profile?.about == (choice == .keepMine ? "mine, keepMine" : "theirs, takeTheirs"))
        }
        try await rig.end(app)
    }

    @Test func `the own profile shows and is changed, also where nothing more can be stored`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        try await app.database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER isFull BEFORE INSERT ON Metadata WHEN new.name = 'profile'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
        }
        let profile = try await app.profiles.profile(of: rig.user().id)
        #expect(profile.about == "")
        #expect(try await app.profiles.setAbout("new", baseVersion: profile.version).about == "new")
        #expect(try await app.profiles.kept() == nil)
        try await rig.end(app)
    }

    @Test func `an answer that comes late does not replace a newer profile on the disk`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let old = try await app.profiles.profile(of: rig.user().id)
        let new = try await app.profiles.setAbout("new", baseVersion: old.version)
        await app.profiles.keep(old)
        #expect(try await app.profiles.kept() == new)
        try await rig.end(app)
    }

    @Test func `somebody else's profile is not edited`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let other = try await profile(app, of: rig.user("Somebody"))
        try await other.write(about: "vandalism")
        #expect(other.state.draft == nil)
        try await rig.end(app)
    }
}
