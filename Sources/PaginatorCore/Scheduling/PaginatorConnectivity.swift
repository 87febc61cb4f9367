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

/// What speaks for loading less; empty when nothing does.
///
/// Where there is to be no prefetch, one that nobody is told of waits for better conditions. A page that is loaded ahead and
/// whose end somebody is told, such as a neighbor of a fetch around a page, fails at once with
/// ``PaginatorError/Code/heldBack``.
public struct PaginatorConditions: OptionSet, Sendable, Hashable {
    /// The set as bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is no connection: no attempt is started.
    public static let offline = PaginatorConditions(rawValue: 1)
    /// The link is slow or costs money: no prefetch, half the parallel calls.
    public static let weakLink = PaginatorConditions(rawValue: 2)
    /// The device saves power: no prefetch, half the parallel calls.
    public static let lowPower = PaginatorConditions(rawValue: 4)
    /// The app is in the background: no prefetch, half the parallel calls.
    public static let background = PaginatorConditions(rawValue: 8)
}
