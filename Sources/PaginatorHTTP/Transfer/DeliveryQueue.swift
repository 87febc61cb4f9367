import Dispatch
import Foundation

/// Where a session reports to its delegate, with few reports outstanding.
///
/// On Linux a session decodes a compressed body as fast as it comes and queues the pieces, so that some megabytes on the
/// wire fill the memory before a limit has seen them. Here it waits for the delegate. On Apple's platforms the system
/// bounds what is outstanding, and adds its reports in a way that no subclass sees.
///
/// `@unchecked Sendable`: it has no state of its own but a semaphore, which any thread may use.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    /// How many reports may be outstanding; one of a body has at most 16 KiB.
    static let limit = 64

    private let places = DispatchSemaphore(value: DeliveryQueue.limit)

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    #if canImport(FoundationNetworking)
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            places.wait()
            super.addOperation { [places] in
                block()
                places.signal()
            }
        }
    #endif
}
