// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public let status: Status
    public let isExpensive: Bool
    public let isConstrained: Bool
}

public final class NWPathMonitor {
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

    public init() {}

    public func start(queue: DispatchQueue) {}

    public func cancel() {}
}
