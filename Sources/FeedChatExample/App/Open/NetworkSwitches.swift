/// The network faults that the page shows and sets.
struct NetworkSwitches: Sendable, Hashable {
    /// The delay of each answer of the backend, in milliseconds.
    private(set) var latency: Int64 = 0
    /// The share of requests or answers that are lost, 0 to 1.
    private(set) var loss = 0.0
    /// Whether the app has no connection.
    private(set) var isOffline = false
    /// The status that the backend answers with: 503, or 0 for none.
    private(set) var status: Int64 = 0
    private(set) var isBackendUp = true
    /// Whether the backend answers this app. Not a switch, but a result of the switches.
    var isReached = true

    /// Applies the switches of a message, clamped to valid ranges.
    mutating func take(_ message: AppJSON) {
        if let value = message["latency"]?.int { latency = min(max(0, value), 10_000) }
        if let value = message["loss"]?.double { loss = min(max(0, value), 1) }
        if let value = message["status"]?.int { status = value == 503 ? 503 : 0 }
        if let value = message["offline"]?.bool { isOffline = value }
        if let value = message["backend"]?.string { isBackendUp = value == "up" }
    }

    /// The message for windows.
    var message: AppJSON {
        [
            "t": "network", "latency": .int(latency), "loss": .double(loss), "offline": .bool(isOffline),
            "status": .int(status), "backend": isBackendUp ? "up" : "down", "reached": .bool(isReached),
        ]
    }

    /// The part that concerns the backend, for its process and every other app.
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
