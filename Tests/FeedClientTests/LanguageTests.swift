import AppFoundation
import ExampleBackend
import FeedClient
import Testing

/// What the app says, in the language of its user.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LanguageTests {
    @Test func `screens change their language at once, what they complain of too`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        await rig.goOffline()
        feed.refresh()
        let english = try await feed.first { $0.errorMessage != nil && $0.isOffline }
        #expect(english.errorMessage == "You are offline. This is what was loaded before.")
        #expect(!english.texts.language.isRightToLeft)
        rig.environment.update { $0.language = .arabic }
        let arabic = try await feed.first { $0.texts.language == .arabic }
        #expect(arabic.errorMessage == "أنت غير متصل. هذا ما حُمِّل من قبل.")
        #expect(arabic.texts.language.isRightToLeft)
        let frame = TextFrames.feed(arabic, rows: 0..<1)
        #expect(frame.split(separator: "\n").allSatisfy { $0.hasPrefix("\u{200F}") })
        #expect(frame.contains("الأخبار (غير متصل)") && frame.contains("تعليقات: 0"))
        let detail = PostDetailStateHolder(app, post: 1)
        #expect(detail.state.texts.language == .arabic)
        let compose = ComposeStateHolder(app)
        try await compose.send()
        #expect(compose.state.errorMessage == "لا يوجد ما يُرسَل.")
        try await rig.end(app)
    }

    @Test func `an open profile changes its language at once`() async throws {
        let services = FeedServicesDouble()
        let profile = ProfileStateHolder(services, user: 2)
        try await profile.start()
        _ = try await profile.first { !$0.items.isEmpty }
        services.environment.update { $0.language = .arabic }
        let arabic = try await profile.first { $0.texts.language == .arabic }
        #expect(arabic.items.count == 30)
    }

    @Test func `every text is there in both languages`() {
        let texts = AppLanguage.allCases.map { AppTexts($0) }.map { texts in
            [
                texts.youAreSignedOut, texts.youAreOffline, texts.serverIsSlow, texts.serverIsAway, texts.nothingToSend,
                texts.textIsRefused,
                texts.timeHasPassed, texts.postNotSent, texts.commentNotSent, texts.notSent("x"), texts.retry,
                texts.signIn, texts.show, texts.resend, texts.discard, texts.feed, texts.offline, texts.post,
                texts.profile, texts.posts(of: "x"), texts.search("x"), texts.amongSeen, texts.nothingFound,
                texts.isGone, texts.thatIsAll, texts.isSending, texts.isBookmarked, texts.sending(1), texts.newPosts(1),
                texts.comments(1), texts.replies(1), texts.shared(1), texts.files(1),
            ] + texts.wasSignedOut
        }
        for (english, arabic) in zip(texts[0], texts[1]) {
            #expect(!english.isEmpty && !arabic.isEmpty && english != arabic)
            #expect(arabic.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) })
        }
    }
}
