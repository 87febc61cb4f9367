/// How large a world is, how much happens in it, and how much goes wrong.
package struct WorldConfig: Sendable {
    /// How often things go wrong with one call.
    package struct Faults: Sendable {
        package var error = 0.04
        package var hang = 0.005
        package var slow = 0.02
        package var duplicate = 0.01
        package var verdict = 0.02
        /// A page that names the first one as its next.
        package var cycle = 0.002

        package init() {}
    }

    /// Paginators; they share a scheduler and a store.
    package var paginators = 5
    /// Scopes of each paginator, with a table of rows each.
    package var scopes = 5
    /// Lists on each scope.
    package var listsPerScope = 2
    /// Rows of a table at the start.
    package var rows = 400
    /// Events a second of virtual time.
    package var eventsPerSecond = 5.0
    /// Events in all.
    package var events = 20_000
    package var weights = EventKind.everydayWeights
    package var faults = Faults()
    /// How large a share of pages has an expiration time.
    package var expiring = 0.3
    package var maxParallelCalls = 4
    package var memoryPages = 60
    package var memoryLifetime: Duration?
    package var storePages: Int? = 2_000
    package var attemptTimeout: Duration = .seconds(10)
    package var fetchTimeout: Duration = .seconds(30)
    package var pageSize = 20
    /// The longest time that a piece of work waits for its thread.
    package var longDelay: Duration = .milliseconds(50)
    /// How many pieces of work of 128 may wait as long.
    package var longShare = 1
    /// How long the store waits for more to write.
    package var linger: Duration = .milliseconds(50)
    /// Whether the store's bounds are so small that it is often full.
    package var hasTightStore = false
    /// Somebody flushes the store while a commit runs.
    package var flushesDuringCommits = 0.02
    /// Callbacks call the paginator themselves.
    package var callsFromCallbacks = 0.02
    /// After so many steps the whole state is checked.
    package var deepCheckInterval = 256

    package init() {}

    /// Fifty lists and five events a second: what an app does on a day of many troubles.
    package static let standard = WorldConfig()

    /// A small world in which much happens at once; which parts it has, and how it is set up, follows from the seed.
    package static func dense(seed: UInt64) -> WorldConfig {
        var config = WorldConfig()
        config.paginators = 1 + Int(seed % 4) / 2
        config.scopes = 1 + Int(seed / 4 % 2)
        config.listsPerScope = 1
        config.rows = [0, 7, 40, 90][Int(seed / 8 % 4)]
        config.eventsPerSecond = [4, 20, 100][Int(seed % 3)]
        config.events = 130
        config.weights = EventKind.denseWeights
        config.faults.error = 0.12
        config.faults.hang = 0.02
        config.faults.slow = 0.08
        config.faults.duplicate = 0.05
        config.faults.verdict = 0.12
        config.faults.cycle = 0.04
        config.expiring = 0.5
        config.maxParallelCalls = 2
        config.memoryPages = 4
        config.memoryLifetime = seed % 7 == 0 ? .seconds(20) : nil
        config.storePages = seed % 3 == 0 ? nil : seed % 5 == 0 ? 8 : 500
        config.attemptTimeout = .seconds(5)
        config.fetchTimeout = .seconds(20)
        config.pageSize = 5
        config.longDelay = .milliseconds(800)
        config.longShare = seed % 6 == 1 ? 24 : 1
        config.linger = seed % 4 == 1 ? .seconds(3) : .milliseconds(50)
        config.hasTightStore = seed % 11 == 0
        config.flushesDuringCommits = 0.1
        config.callsFromCallbacks = 0.15
        config.deepCheckInterval = 8
        return config
    }
}
