import PaginatorCore
public import PaginatorLists

/// Scrolls a ``/PaginatorLists/PaginatorList`` as a user does, and returns the items on the screen.
///
/// Everything runs on the test's thread in virtual time. The paginator must use the executor and the clock
/// (`PaginatorConfig.simulate(on:clock:seed:)`), and so must its source and store if they answer later.
///
/// ```swift
/// let driver = ScrollDriver(list, screenSize: 8, clock: clock, executor: executor)
/// driver.refresh()
/// #expect(driver.scroll(to: 40).map(\.id) == Array(40..<48))
/// ```
///
/// Each gesture reports the visible items to the list, loads the next page at the end of the list, and waits until the
/// list is idle. When items above are inserted or removed, the first visible item keeps its place.
public final class ScrollDriver<T: Sendable, ID: Hashable & Sendable> {
    private let list: PaginatorList<T, ID>
    private let screenSize: Int
    private let patience: Duration
    /// The position of the first visible item.
    public private(set) var top = 0

    private let clock: ManualPaginatorClock
    private let executor: SimulatedExecutor

    /// Creates a driver at the top of a list. It loads nothing yet.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - screenSize: the number of items on the screen; 10 by default, at least 1.
    ///   - clock: the paginator's clock, which the driver advances while a load runs.
    ///   - executor: the paginator's executor.
    ///   - patience: the longest virtual time that a gesture waits for loads; 2 minutes by default.
    public init(
        _ list: PaginatorList<T, ID>, screenSize: Int = 10, clock: ManualPaginatorClock,
        executor: SimulatedExecutor, patience: Duration = .seconds(120)
    ) {
        self.list = list
        // Far from where an addition to a position would overflow.
        self.screenSize = max(1, min(screenSize, .max / 4))
        self.clock = clock
        self.executor = executor
        self.patience = patience
    }

    /// The visible positions.
    public var visible: Range<Int> {
        let count = list.snapshot.count
        let first = min(top, max(0, count - 1))
        return first..<min(count, first + screenSize)
    }

    /// The items on the screen, fewer than fit if the list is shorter.
    public var screen: [T] { Array(list.snapshot[visible]) }

    /// Whether the list is loading.
    var isLoading: Bool {
        let status = list.status
        return status.next.isLoading || status.previous.isLoading || status.refresh.isLoading
            || status.gaps.values.contains { $0.isLoading }
    }

    /// Scrolls screen by screen, and waits for loads on the way.
    ///
    /// - Parameter position: the current position of the item to show first; a position past the end gives the last
    ///   full screen. Items inserted above on the way shift it.
    /// - Returns: the items on the screen.
    @discardableResult
    public func scroll(to position: Int) -> [T] {
        // Far from where an addition would overflow, and past the end of every list.
        var target = max(0, min(position, Int.max / 2)) + keepingAnchor(look)
        while top != target {
            let step = max(-screenSize, min(screenSize, target - top))
            let (isLoaded, shift) = step < 0 ? (true, 0) : loadsOn(toShow: top + step)
            target += shift
            guard isLoaded else {
                rest(at: lastTop)
                break
            }
            let distance = abs(target - top)
            target += rest(at: max(0, top + step))
            // A list that shrinks meanwhile may no longer have the position.
            if abs(target - top) >= distance { break }
        }
        return screen
    }

    /// Scrolls by a number of items; see ``scroll(to:)``.
    ///
    /// - Parameter items: the number of items; negative values scroll up.
    @discardableResult
    public func scroll(by items: Int) -> [T] {
        let (position, isTooFar) = top.addingReportingOverflow(items)
        return scroll(to: isTooFar ? .max : position)
    }

    /// Scrolls fast without waiting for loads, and waits for them at the end.
    ///
    /// - Parameters:
    ///   - position: the position to stop at; the fling stops earlier if the list ends there.
    ///   - frame: the virtual time for each half screen; 16 milliseconds by default.
    /// - Returns: the items on the screen, after everything has loaded.
    @discardableResult
    public func fling(to position: Int, frame: Duration = .milliseconds(16)) -> [T] {
        let position = max(0, position)
        keepingAnchor(look)
        let stride = max(1, screenSize / 2)
        while top != position {
            let step = max(-stride, min(stride, position - top))
            let next = max(0, min(top + step, lastTop))
            if next == top { break }
            move(to: next)
            if next + screenSize >= list.snapshot.count { list.loadNext() }
            executor.runAll()
            clock.advance(by: frame)
            executor.runAll()
        }
        rest(at: top)
        return screen
    }

    /// Loads pages at the end while a condition holds and there are more.
    ///
    /// - Parameter condition: called with all loaded items; false stops.
    /// - Returns: all loaded items.
    @discardableResult
    public func append(while condition: (PaginatorListSnapshot<T, ID>) -> Bool) -> [T] {
        while condition(list.snapshot), grows(\.next, { list.loadNext() }) {}
        return Array(list.snapshot)
    }

    /// Loads pages at the start while a condition holds and there are more.
    ///
    /// - Parameter condition: called with all loaded items; false stops.
    /// - Returns: all loaded items.
    @discardableResult
    package func prepend(while condition: (PaginatorListSnapshot<T, ID>) -> Bool) -> [T] {
        while condition(list.snapshot), grows(\.previous, { list.loadPrevious() }) {}
        return Array(list.snapshot)
    }

    /// Pulls to refresh, and waits until the refresh has ended. A screen at the top stays there and shows new items.
    ///
    /// - Parameter refresh: which pages to load; all by default.
    /// - Returns: the items on the screen.
    @discardableResult
    public func refresh(_ refresh: PaginatorListRefresh = .all) -> [T] {
        let isAtTop = top == 0
        keepingAnchor { list.refresh(refresh) }
        if isAtTop { top = 0 }
        keepingAnchor(look)
        return screen
    }

    /// Repeats failed loads, and waits.
    ///
    /// - Returns: the items on the screen.
    @discardableResult
    public func retry() -> [T] {
        keepingAnchor { list.retry() }
        return screen
    }

    /// Waits until the list is idle: runs all work, and advances the clock from timer to timer.
    ///
    /// It returns earlier if no work and no timer is left, or `patience` has passed.
    public func settle() {
        let limit = clock.now.advanced(by: patience)
        while true {
            executor.runAll()
            clock.advance(by: .zero)
            if executor.count > 0 { continue }
            guard isLoading, let next = clock.armedDeadlines.first, next <= limit else { return }
            clock.advance(to: next)
        }
    }
}

extension ScrollDriver {
    /// The greatest position of the first visible item.
    private var lastTop: Int { max(0, list.snapshot.count - screenSize) }

    /// Reports the visible items to the list.
    private func look() {
        list.hint(visible: visible)
    }

    private func move(to position: Int) {
        top = position
        look()
    }

    @discardableResult
    private func rest(at position: Int) -> Int {
        keepingAnchor { move(to: position) }
    }

    /// Loads until a full screen fits at a position. Returns whether it did before the list ended or failed, and the
    /// shift of the screen meanwhile.
    private func loadsOn(toShow position: Int) -> (isLoaded: Bool, shift: Int) {
        let before = top
        while list.snapshot.count < position + (top - before) + screenSize {
            guard grows(\.next, { list.loadNext() }) else { return (false, top - before) }
        }
        return (true, top - before)
    }

    /// Loads until rows have arrived at that end; false if the list ends or fails before. Pages without new items do
    /// not count. A list with a window may not have grown then.
    private func grows(
        _ phase: KeyPath<PaginatorListStatus, PaginatorLoadState>, _ load: () -> Void
    ) -> Bool {
        let before = list.snapshot
        let edge = outermost(of: before, phase)
        for _ in 0..<16 {
            keepingAnchor(load)
            if list.snapshot.count > before.count || outermost(of: list.snapshot, phase) != edge { return true }
            let status = list.status
            guard case .idle = status[keyPath: phase], status.refresh.error == nil else { return false }
        }
        return false
    }

    /// The row at the end at which a phase loads.
    private func outermost(
        of snapshot: PaginatorListSnapshot<T, ID>, _ phase: KeyPath<PaginatorListStatus, PaginatorLoadState>
    ) -> ID? {
        guard !snapshot.isEmpty else { return nil }
        return snapshot.id(at: phase == \.previous ? snapshot.startIndex : snapshot.endIndex - 1)
    }

    /// Performs `body`, waits until it has ended, and scrolls to where the first visible item is then.
    ///
    /// - Returns: the shift of the screen.
    @discardableResult
    private func keepingAnchor(_ body: () -> Void) -> Int {
        let before = list.snapshot
        body()
        let place = top
        let anchor = before.indices.contains(top) ? before.id(at: top) : nil
        settle()
        let after = list.snapshot
        if let anchor, !(after.indices.contains(top) && after.id(at: top) == anchor) {
            top = after.indices.first { after.id(at: $0) == anchor } ?? top
        }
        top = max(0, min(top, max(0, after.count - 1)))
        return top - place
    }
}
