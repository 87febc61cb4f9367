import PaginatorCore

/// What one list has shown and was asked for.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class UserScreen: @unchecked Sendable {
    let number: Int
    let list: PaginatorList<UserItem, Int>
    var observation: PaginatorExecution?
    /// What the differences that were told add up to.
    var told: [UserItem] = []
    /// Whether nobody has looked at what it shows now.
    var isNew = true

    /// The newest version of each row that it has shown.
    var newest: [Int: Int] = [:]
    /// Rows that the server told the device about, and that it has to show where it shows their neighbors.
    var pushed: Set<Int> = []

    /// Whether somebody asked for more than hints since nothing was failed any more.
    var hasAsked = false
    /// The last row seen, and how many calls had failed by then.
    var seen: (id: Int, failures: Int)?
    var isPaused = false
    /// The page that somebody wants to see.
    var jumpedTo: [UInt8]?
    /// A refresh that was asked for: pages, and since when they may not be older.
    var promises: [(keys: [[UInt8]], since: Int)] = []
    /// What refreshes have achieved: rows of these pages, and those that join them, are not older.
    var floors: [[UInt8]: Int] = [:]
    var staleKeys: [[UInt8]] = []

    init(_ number: Int, _ list: PaginatorList<UserItem, Int>) {
        self.number = number
        self.list = list
    }

    /// The pages that something is shown of.
    var keys: [[UInt8]] {
        var keys: [[UInt8]] = []
        for row in list.snapshot where !row.page.isEmpty && !keys.contains(row.page) { keys.append(row.page) }
        return keys
    }

    /// The list was emptied.
    func forget() {
        forgetWishes()
        newest = [:]
        pushed = []
        floors = [:]
        staleKeys = []
    }

    /// Nothing is asked for any more.
    func forgetWishes() {
        seen = nil
        jumpedTo = nil
        promises = []
    }

    func willRefresh(_ refresh: PaginatorListRefresh, _ tick: Int, firstKey: [UInt8]) {
        switch refresh {
        case .all:
            forgetWishes()
            promises = [(keys: [firstKey], since: tick)]
        case .firstPage:
            promises.append((keys: keys.filter { $0 == firstKey }, since: tick))
        case .keepingPlace:
            promises.append((keys: keys, since: tick))
        case .stalePages:
            let shown = keys
            promises.append((keys: staleKeys.filter { shown.contains($0) }, since: tick))
        default: break
        }
    }
}
