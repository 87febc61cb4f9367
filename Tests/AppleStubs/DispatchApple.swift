// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

@_exported import Dispatch

public protocol DispatchSourceMemoryPressure: AnyObject {
    var data: DispatchSource.MemoryPressureEvent { get }
    var mask: DispatchSource.MemoryPressureEvent { get }

    func activate()

    func cancel()
}

extension DispatchSourceMemoryPressure {
    public func setEventHandler(_ handler: (@Sendable () -> Void)?) {}
}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public static let normal = MemoryPressureEvent(rawValue: 1)
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)

        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
    }

    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { MemoryPressureStub() }
}

private final class MemoryPressureStub: DispatchSourceMemoryPressure {
    let data = DispatchSource.MemoryPressureEvent.normal
    let mask = DispatchSource.MemoryPressureEvent.normal

    func activate() {}

    func cancel() {}
}
