public import PaginatorCore

/// A connectivity that hands every question on to a real one and records what it told.
public final class RecordingConnectivity: PaginatorConnectivity {
    private struct State: Sendable {
        var reads: [PaginatorConditions] = []
        var told: [PaginatorConditions] = []
        var observations = 0
    }

    private let connectivity: any PaginatorConnectivity
    private let handshake = Handshake(State())

    /// Wraps a connectivity.
    public init(_ connectivity: any PaginatorConnectivity) {
        self.connectivity = connectivity
    }

    /// The real conditions; recorded.
    public var conditions: PaginatorConditions {
        let conditions = connectivity.conditions
        handshake.update { $0.reads.append(conditions) }
        return conditions
    }

    /// Observes the real connectivity and records what it tells.
    public func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
        let handshake = handshake
        handshake.update { $0.observations += 1 }
        return connectivity.observe { conditions in
            handshake.update { $0.told.append(conditions) }
            handler(conditions)
        }
    }

    /// What was answered each time that somebody asked for the conditions, in order.
    public var reads: [PaginatorConditions] { handshake.read(\.reads) }

    /// What observers were told, in order; two observers are told twice.
    public var told: [PaginatorConditions] { handshake.read(\.told) }

    /// How often somebody began to observe.
    public var observations: Int { handshake.read(\.observations) }
}
