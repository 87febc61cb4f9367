public import PaginatorCore

/// How a ``PaginatorInspector`` records. Every variable has a default, stated with it.
public struct PaginatorInspectorConfig: Sendable {
    /// Whether it records at all. By default it does where the inspector was built for debugging; else attaching does
    /// nothing and costs nothing.
    public var isEnabled: Bool

    /// How many events are kept, 1,000,000 by default; the oldest go first. Each takes 40 bytes.
    public var maxEvents = 1_000_000

    /// How many bytes of texts (keys, errors) and of states are kept, 16 MB of each by default. Of a text, 4 KB
    /// are.
    public var maxTextBytes = 16_000_000

    /// How often states are taken at most while somebody looks: every 250 milliseconds by default.
    public var stateInterval: Duration = .milliseconds(250)

    /// How long after an event states are taken while nobody looks: 5 seconds by default. So a recording has states over
    /// time, and what is idle costs nothing. With a clock that is neither the device's nor a manual one they are taken by
    /// ``PaginatorInspector/recordStates()`` alone.
    public var unseenStateInterval: Duration = .seconds(5)

    /// The name of the app, for whoever reads a recording; empty by default.
    public var appName = ""

    /// Whether the page in the browser, and what is downloaded from it, may have keys, scopes, tags and messages of errors;
    /// false, the default, has hashes. What the app itself writes has them where a call says `withKeys: true`.
    public var allowsKeys = false

    /// The seed of a simulated world, which recordings name; `nil` by default.
    public var seed: UInt64?

    /// The clock that times are told by, and that the command for a manual clock moves; the device's by default. Events of
    /// paginators with other clocks are put in relation to it when they are attached.
    public var clock: any PaginatorClock = SystemPaginatorClock()

    /// Makes a configuration with every default.
    public init() {
        #if DEBUG
            isEnabled = true
        #else
            isEnabled = false
        #endif
    }
}
