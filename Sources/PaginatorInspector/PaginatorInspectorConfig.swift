public import PaginatorCore

/// The configuration of a ``PaginatorInspector``. Each variable documents its default.
public struct PaginatorInspectorConfig: Sendable {
    /// Whether it records; by default if the inspector was built for debugging. Otherwise attaching does nothing and
    /// costs nothing.
    public var isEnabled: Bool

    /// The number of events to keep; 1,000,000 by default. The oldest are dropped first. Each takes 40 bytes.
    public var maxEvents = 1_000_000

    /// The number of bytes to keep of texts (keys, errors), and of states; 16 MB each by default. Of each text, 4 KB
    /// are kept.
    public var maxTextBytes = 16_000_000

    /// The shortest interval of recorded states while a browser is connected; 250 milliseconds by default.
    public var stateInterval: Duration = .milliseconds(250)

    /// The delay after an event until states are recorded without a browser; 5 seconds by default. So a recording has
    /// states over time, and idle subjects cost nothing. Lists and stores have no events: their states are read again
    /// after this time, and while nothing changes each time after twice as long, up to a minute. With a manual clock
    /// that ends when nothing has changed for two days. With a clock that is neither the device's nor a manual one, only
    /// ``PaginatorInspector/recordStates()`` records states.
    public var unseenStateInterval: Duration = .seconds(5)

    /// The name of the app in recordings; empty by default.
    public var appName = ""

    /// Whether the browser's page, and downloads from it, may contain keys, scopes, tags and error messages; with
    /// false, the default, they contain hashes. What the app itself writes contains them if a call says `withKeys:
    /// true`.
    public var allowsKeys = false

    /// The seed of a simulated world, for recordings; `nil` by default.
    public var seed: UInt64?

    /// The clock of recorded times, which commands for a manual clock advance; the device's by default. Events of
    /// paginators with other clocks are converted to it.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Creates a configuration with the default values.
    public init() {
        #if DEBUG
            isEnabled = true
        #else
            isEnabled = false
        #endif
    }
}
