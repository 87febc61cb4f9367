/// How a chat keeps its socket. Every variable has a default, stated with it.
package struct SocketConfig: Sendable, Hashable {
    /// How long the socket may be silent before the server is asked whether it is there: 20 seconds.
    package var heartbeatInterval: Duration = .seconds(20)
    /// How long its answer may take before the connection counts as half-open and is given up: 10 seconds.
    package var heartbeatTimeout: Duration = .seconds(10)
    /// The ceiling of the wait after the first failure, which doubles with each: 500 milliseconds.
    package var backoffBase: Duration = .milliseconds(500)
    /// The highest ceiling: 30 seconds.
    package var backoffCap: Duration = .seconds(30)
    /// How many events a page of missed ones has: 200.
    package var syncLimit = 200

    package init() {}
}
