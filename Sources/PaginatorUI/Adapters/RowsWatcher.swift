import PaginatorCore
import PaginatorLists

/// Tells a list what a view shows whose data source is the app's own.
@MainActor
final class RowsWatcher<T: Sendable, ID: Hashable & Sendable> {
    private let list: PaginatorList<T, ID>
    private let visiblePositions: @MainActor () -> [Int]
    private var screen: PaginatorScreen<T, ID>
    private var observation: PaginatorExecution?
    private lazy var looks = SoonLook { [weak self] in self?.look() }

    init(_ list: PaginatorList<T, ID>, _ visiblePositions: @escaping @MainActor () -> [Int]) {
        self.list = list
        self.visiblePositions = visiblePositions
        screen = PaginatorScreen(list.snapshot, list.status)
        observation = list.observe(onMain: { [weak self] update in self?.follow(update) })
    }

    deinit {
        observation?.cancel()
    }

    func lookSoon() { looks.ask() }

    func look() { screen.look(at: Range(from: visiblePositions()), in: list) }

    private func follow(_ update: PaginatorListUpdate<T, ID>) {
        _ = screen.follow(update.snapshot, update.status, anchor: update.anchor)
        // The app may be told after this, and the view lays out its rows later still. A short page makes it ask for none.
        lookSoon()
    }
}

extension Range<Int> {
    /// From the first of some positions to the last; `nil` of none.
    init?(from positions: [Int]) {
        guard let first = positions.min(), let last = positions.max() else { return nil }
        self = first..<last + 1
    }
}
