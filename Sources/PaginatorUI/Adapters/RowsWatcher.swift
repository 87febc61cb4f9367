import PaginatorCore
import PaginatorLists

/// Reports the visible rows of a view with the app's own data source to a list.
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
        let isJump = ![nil, screen.jumped].contains(update.status.jump)
        let stays = update.anchor == 0 && (screen.visible?.lowerBound ?? 0) == 0
        _ = screen.follow(update.snapshot, update.status, anchor: update.anchor)
        // The app may be told after this, and the layout follows later. A short page causes no further request. The
        // rows before a jump would end it; the view looks again when it scrolls there, unless it is there already.
        if !isJump || stays { lookSoon() }
    }
}

extension Range<Int> {
    /// The range from the lowest position to the highest; `nil` for none.
    init?(from positions: [Int]) {
        guard let first = positions.min(), let last = positions.max() else { return nil }
        self = first..<last + 1
    }
}
