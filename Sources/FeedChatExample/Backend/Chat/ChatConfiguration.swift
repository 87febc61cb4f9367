package import Foundation

/// How the relay works. Every variable has a default, stated with it.
package struct ChatConfiguration: Sendable {
    /// Where push notifications are sent, `nil` for nowhere, by default.
    package var pushProvider: URL?
    /// How long a socket may be silent before it counts as half-open and is closed: 60 seconds.
    package var silenceLimit: Duration = .seconds(60)
    /// How often the presence of who is connected is repeated at most: 30 seconds.
    package var presenceInterval: Duration = .seconds(30)
    /// How long a request id outlives its message: a day.
    package var requestLifetime: TimeInterval = 86_400
    /// How long a delivered message waits for its read receipt: thirty days.
    package var receiptLifetime: TimeInterval = 30 * 86_400
    /// How long messages are kept for a device that is away while another of its user is not: thirty days. Those of a
    /// user's only device are kept until it comes.
    package var deviceLifetime: TimeInterval = 30 * 86_400
    /// The longest content, in UTF-8 bytes.
    package var contentLimit = 20_000
    /// The clock.
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
}
