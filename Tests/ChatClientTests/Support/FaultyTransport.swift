import ChatClient
import Foundation
import PaginatorCore
import PaginatorTesting

/// The real transport with bad luck: frames are lost, doubled, turned round or late, and sockets are cut.
final class FaultyTransport: ChatTransport {
    /// How many of a hundred frames suffer.
    struct Weather: Sendable {
        var lost = 0
        var doubled = 0
        var held = 0
        var cut = 0
    }

    private struct State {
        var random: SeededRandom
        var weather: Weather
        var connections: [Int: any ChatConnection] = [:]
        var last = 0
    }

    private let transport = WebSocketTransport()
    private let state: Guarded<State>

    init(seed: UInt64, _ weather: Weather) {
        state = Guarded(State(random: SeededRandom(seed: seed), weather: weather))
    }

    func calm() { state.withLock { $0.weather = Weather() } }

    func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        let held = Guarded<[SocketInput]>([])
        let connection = try await transport.connect(url, token: token) { [weak self] input in
            guard let self, case .text = input else { return onInput(input) }
            let (fate, weather) = state.withLock { state in
                (Int.random(in: 0..<100, using: &state.random), state.weather)
            }
            var limit = weather.lost
            if fate < limit { return }
            limit += weather.held
            // A held frame comes after the next one.
            if fate < limit { return held.withLock { $0.append(input) } }
            onInput(input)
            for late in held.withLock({ held in
                defer { held = [] }
                return held
            }) { onInput(late) }
            limit += weather.doubled
            if fate < limit { onInput(input) }
            limit += weather.cut
            if fate < limit { state.withLock { $0.connections[id] }?.close() }
        }
        state.withLock { $0.connections[id] = connection }
        return connection
    }
}
