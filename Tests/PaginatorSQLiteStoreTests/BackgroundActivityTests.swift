import PaginatorCore
import Testing

@testable import PaginatorSQLiteStore

/// What an activity does when the system calls its block; the system's part is on Apple's platforms only.
struct BackgroundActivityTests {
    @Test func `Time that runs out interrupts once begun, and nothing after the end`() throws {
        let interrupts = Guarded(0)
        let block = Guarded<(@Sendable (Bool) -> Void)?>(nil)
        let activity = BackgroundActivity(
            onExpiration: { interrupts.withLock { $0 += 1 } }, system: { given in block.withLock { $0 = given } })
        let system = try #require(block.withLock { $0 })
        system(true)
        #expect(interrupts.withLock { $0 } == 1)
        activity.end()
        system(true)
        #expect(interrupts.withLock { $0 } == 1)
        // The system is not held up any longer.
        system(false)
    }
}
