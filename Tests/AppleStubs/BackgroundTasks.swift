// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

open class BGTask: NSObject {
    public var expirationHandler: (@Sendable () -> Void)?

    open func setTaskCompleted(success: Bool) {}
}

open class BGProcessingTask: BGTask {}

open class BGAppRefreshTask: BGTask {}
