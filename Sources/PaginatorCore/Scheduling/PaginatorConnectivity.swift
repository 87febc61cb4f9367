/// Reports the conditions of the network and the device to a paginator.
///
/// `SystemConnectivity` of `PaginatorHTTP` asks the system or a server; `PaginatorTesting` has a double for tests.
public protocol PaginatorConnectivity: Sendable {
    /// The current conditions.
    var conditions: PaginatorConditions { get }

    /// Calls `handler` after each change until the observation is released.
    ///
    /// - Parameter handler: called with the new conditions, on any thread.
    /// - Returns: the observation; releasing it ends the calls.
    func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable
}

/// The conditions of the network, the device and the app.
///
/// `weakLink`, `lowPower` and `background` reduce loading: half as many calls run in parallel, and nothing is
/// prefetched unless ``PrefetchRequest/allows`` permits it. A prefetch waits for better conditions. A page loaded ahead
/// whose failure is reported, such as a neighbor of a fetch around a page, fails at once with
/// ``PaginatorError/Code/heldBack``.
public struct PaginatorConditions: OptionSet, Sendable, Hashable {
    /// The set as bits.
    public let rawValue: UInt8

    /// Creates a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is no connection. No attempt is started, except of a source that needs none.
    public static let offline = PaginatorConditions(rawValue: 1)
    /// The link is slow or metered.
    public static let weakLink = PaginatorConditions(rawValue: 2)
    /// The device saves power.
    public static let lowPower = PaginatorConditions(rawValue: 4)
    /// The app is in the background.
    public static let background = PaginatorConditions(rawValue: 8)
    /// The device is connected to power. A connectivity that never reports it means a device without power; without any
    /// connectivity the device counts as connected.
    public static let charging = PaginatorConditions(rawValue: 16)
    /// No load of the scheduler's paginators has a waiter. The scheduler determines this itself; a load counts from the
    /// time it is ready to call the source until that call ends, and during back-off.
    public static let idle = PaginatorConditions(rawValue: 32)

    /// The conditions that reduce loading.
    static let loadLess: PaginatorConditions = [.weakLink, .lowPower, .background]
}
