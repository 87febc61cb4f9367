/// Tells a paginator what the network and the device are like.
///
/// On Apple platforms wrap `NWPathMonitor`; tests use the double of `PaginatorTesting`.
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
