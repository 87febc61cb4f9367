// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

public import Foundation

extension ProcessInfo {
    public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }

    public static var thermalStateDidChangeNotification: Notification.Name { Notification.Name("") }

    public var thermalState: ThermalState { .nominal }

    public var isLowPowerModeEnabled: Bool { false }

    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

extension Notification.Name {
    public static var NSProcessInfoPowerStateDidChange: Notification.Name { Notification.Name("") }
}
