/// How bad the network is, as the page shows and sets it.
struct NetworkSwitches: Sendable, Hashable {
    /// How long each answer of the backend takes, in milliseconds.
    private(set) var latency: Int64 = 0
    /// The share of requests that are lost on the way there or back, 0 to 1.
    private(set) var loss = 0.0
    /// Whether the app has no connection.
    private(set) var isOffline = false
    /// What the backend answers instead: 503, or 0 for what it has.
    private(set) var status: Int64 = 0
    private(set) var isBackendUp = true
    /// Whether the backend answers this app: no switch, but what comes of them.
    var isReached = true

    /// Takes what a message has of it, within sane limits.
    mutating func take(_ message: AppJSON) {
        if let value = message["latency"]?.int { latency = min(max(0, value), 10_000) }
        if let value = message["loss"]?.double { loss = min(max(0, value), 1) }
        if let value = message["status"]?.int { status = value == 503 ? 503 : 0 }
        if let value = message["offline"]?.bool { isOffline = value }
        if let value = message["backend"]?.string { isBackendUp = value == "up" }
    }

    /// What windows are told.
    var message: AppJSON {
        [
            "t": "network", "latency": .int(latency), "loss": .double(loss), "offline": .bool(isOffline),
            "status": .int(status), "backend": isBackendUp ? "up" : "down", "reached": .bool(isReached),
        ]
    }

    /// What is the backend's, as whoever runs it and every other app is told.
    var weather: AppJSON {
        [
            "latency": .int(latency), "loss": .double(loss), "status": .int(status),
            "backend": isBackendUp ? "up" : "down",
        ]
    }

    /// The same as the body of `PUT /control/faults`.
    var faults: AppJSON {
        [
            "latency": .int(latency), "lostRequests": .double(loss / 2), "lostAnswers": .double(loss / 2),
            "serverErrors": .double(status == 503 ? 1 : 0),
        ]
    }
}
