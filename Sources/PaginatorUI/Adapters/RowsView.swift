/// What a list needs of a collection view or a table view.
@MainActor
protocol RowsView<ID>: AnyObject {
    associatedtype ID: Hashable & Sendable

    typealias Place = PaginatorBatch.Place

    /// Called when the view scrolls, also during layout.
    var onScroll: (@MainActor () -> Void)? { get set }

    /// The visible rows, in any order, without those behind a bar or a keyboard.
    var visiblePlaces: [Place] { get }

    /// The distance of a row's top from the top of the screen; `nil` if unknown.
    func top(of place: Place) -> Double?

    /// Whether all of the last row is on the screen, with what stands after it.
    var isAtEnd: Bool { get }

    /// Scrolls by a distance, without animation.
    func scroll(by distance: Double)

    /// Scrolls to the start of the content, without animation.
    func scrollToStart()

    /// Scrolls as far as possible, without animation.
    ///
    /// - Parameter last: the last row.
    func scrollToEnd(_ last: Place)

    /// Scrolls until a row is the first visible one, if possible, without animation.
    func scroll(to place: Place)

    /// Shows these rows in place of the previous ones.
    func show(_ rows: ShownRows<ID>)
}

/// The rows for a view with a diffable data source.
struct ShownRows<ID: Hashable & Sendable> {
    var sections: [(id: PaginatorListSection<AnySectionKey>.ID, rows: [ID])]
    /// The rows with another value, shown by the same cell.
    var updated: [ID]
    /// The rows whose value needs another cell.
    var reloaded: [ID]
    /// Whether changes are animated.
    var isAnimated: Bool
}

/// Looks at a view soon, once for all requests until then: during layout it does not know its visible rows.
@MainActor
final class SoonLook {
    private let look: @MainActor () -> Void
    private var isComing = false

    init(_ look: @escaping @MainActor () -> Void) {
        self.look = look
    }

    func ask() {
        guard !isComing else { return }
        isComing = true
        Task {
            isComing = false
            look()
        }
    }
}
