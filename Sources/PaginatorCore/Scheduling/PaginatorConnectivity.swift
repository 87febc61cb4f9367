/// Tells a paginator what the network and the device are like.
///
/// `SystemConnectivity` of `PaginatorHTTP` asks the system or a server; tests use the double of `PaginatorTesting`.
public protocol PaginatorConnectivity: Sendable {
    /// The conditions now.
    var conditions: PaginatorConditions { get }

    /// Calls `handler` after each change until the observation is released.
    ///
    /// - Parameter handler: takes the new conditions, on any thread.
    /// - Returns: the observation; releasing it ends the calls.
    func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable
}

/// What the network, the device and the app are like.
///
/// Three speak for loading less: `weakLink`, `lowPower` and `background`. Then there is no prefetch, unless it
/// ``PrefetchRequest/allows`` them, and half the parallel calls. A prefetch waits for better conditions; a
/// page that is loaded ahead and whose end somebody is told, such as a neighbor of a fetch around a page, fails at once with
/// ``PaginatorError/Code/heldBack``.
public struct PaginatorConditions: OptionSet, Sendable, Hashable {
    /// The set as bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is no connection: no attempt is started.
    public static let offline = PaginatorConditions(rawValue: 1)
    /// The link is slow or costs money.
    public static let weakLink = PaginatorConditions(rawValue: 2)
    /// The device saves power.
    public static let lowPower = PaginatorConditions(rawValue: 4)
    /// The app is in the background.
    public static let background = PaginatorConditions(rawValue: 8)
    /// The device is connected to power. A connectivity that never tells it stands for one that is not; without any
    /// connectivity, there is power.
    public static let charging = PaginatorConditions(rawValue: 16)
    /// Nobody waits for a page of the scheduler's paginators that has to be loaded. The scheduler knows that by itself.
    public static let idle = PaginatorConditions(rawValue: 32)

    /// What speaks for loading less.
    static let loadLess: PaginatorConditions = [.weakLink, .lowPower, .background]
}
