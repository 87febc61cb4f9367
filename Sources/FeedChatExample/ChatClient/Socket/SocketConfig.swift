/// The configuration of a chat's socket. Each variable documents its default.
package struct SocketConfig: Sendable, Hashable {
    /// The silence after which a ping is sent: 20 seconds.
    package var heartbeatInterval: Duration = .seconds(20)
    /// The timeout of a ping, after which the connection counts as half-open and is closed: 10 seconds.
    package var heartbeatTimeout: Duration = .seconds(10)
    /// The upper bound of the delay after the first failure, which doubles with each: 500 milliseconds.
    package var backoffBase: Duration = .milliseconds(500)
    /// The maximum of the upper bound: 30 seconds.
    package var backoffCap: Duration = .seconds(30)
    /// The number of events on a page of missed ones: 200.
    package var syncLimit = 200

    package init() {}
}
