import Dispatch
import Foundation

/// The queue on which a session calls its delegate, with a bound on outstanding calls.
///
/// On Linux a session decodes a compressed body as fast as it arrives and queues the pieces, so a few megabytes on the
/// wire can fill the memory before a limit sees them. This queue makes it wait for the delegate. On Apple's platforms
/// the system bounds its calls, and adds them in a way that a subclass does not see.
///
/// `@unchecked Sendable`: its only state is a semaphore, which any thread may use.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    /// The greatest number of outstanding calls; one for a body has at most 16 KiB.
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
