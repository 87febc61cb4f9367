import ChatWire
package import Foundation

/// The configuration of the relay. Each variable documents its default.
package struct ChatConfiguration: Sendable {
    /// The address for push notifications; `nil`, the default, for none.
    package var pushProvider: URL?
    /// The silence after which a socket counts as half-open and is closed: 60 seconds.
    package var silenceLimit: Duration = .seconds(60)
    /// The minimum interval between repetitions of a user's presence: 30 seconds.
    package var presenceInterval: Duration = .seconds(30)
    /// The time after its delivery for which a message can be read, edited and deleted for all, and a repetition of its
    /// request is recognised: thirty days.
    package var messageLifetime: TimeInterval = 30 * 86_400
    /// The time that messages are kept for an absent device while another device of the user is present: thirty days.
    /// Those of a user's only device are kept until it returns.
    package var deviceLifetime: TimeInterval = 30 * 86_400
    /// The maximum length of a content, in UTF-8 bytes.
    package var contentLimit = ChatMessage.contentLimit
    /// The clock.
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
}
