// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch
public import Foundation

open class BGTask: NSObject {
    public var expirationHandler: (@Sendable () -> Void)?

    open func setTaskCompleted(success: Bool) {}
}

open class BGProcessingTask: BGTask {}

open class BGAppRefreshTask: BGTask {}

open class BGTaskScheduler: NSObject {
    public class var shared: BGTaskScheduler { BGTaskScheduler() }

    @discardableResult
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool { true }
}
