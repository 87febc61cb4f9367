import ExampleBackend
import FeedClient
import Testing

/// Features for some of the users.
@Suite(.timeLimit(.minutes(3))) struct FeatureFlagTests {
    private func share(_ percent: Int, of feature: String = "new") -> Set<Int> {
        var config = FeedConfig()
        config.rollouts[feature] = percent
        return Set((0..<5_000).filter { FeatureFlags(config, user: "\($0)").isOn(feature) })
    }

    @Test func `as many users have a feature as the backend says`() {
        #expect(share(0).isEmpty && share(-5).isEmpty)
        #expect(share(100).count == 5_000)
        for percent in [1, 10, 50] {
            let expected = Double(percent) * 50
            // Four standard deviations of as many throws of a coin.
            let tolerance = 4 * (expected * (1 - Double(percent) / 100)).squareRoot()
            #expect(abs(Double(share(percent).count) - expected) < tolerance)
        }
    }

    @Test func `who has a feature keeps it as its share grows`() {
        #expect(share(10).isSubset(of: share(11)) && share(11).isSubset(of: share(60)))
    }

    @Test func `features are spread independently of each other`() {
        let both = share(50).intersection(share(50, of: "other")).count
        #expect((1_100...1_400).contains(both))
    }

    @Test func `a user's place is the same in each version`() {
        // FNV-1a of "new/1" and "new/2", https://www.rfc-editor.org/rfc/rfc9923, its halves joined by exclusive or.
        #expect(FeatureFlags.bucket(of: "1", for: "new") == 71)
        #expect(FeatureFlags.bucket(of: "2", for: "new") == 14)
    }

    @Test func `a flag is on or off for everybody`() {
        var config = FeedConfig()
        #expect(!FeatureFlags(config, user: "1").isOn("new"))
        config.flags["new"] = true
        #expect(FeatureFlags(config, user: "1").isOn("new"))
    }

    @MainActor @Test func `a feature that is off does not load posts ahead`() async throws {
        let rig = try await FeedRig { $0.rollouts["loadsPostsAhead"] = 0 }
        let app = try await rig.signIn()
        #expect(!app.flags.isOn("loadsPostsAhead"))
        try await rig.end(app)
    }
}
