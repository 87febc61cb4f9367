import PaginatorCore
import PaginatorLists

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
    /// When the server read its table for each row that is shown, at the earliest: a newer value may have come since
    /// with another page, and the row stayed where it was.
    var oldest: [Int: Int] = [:]
    /// Rows that the server told the device about, and that it has to show where it shows their neighbors.
    var pushed: Set<Int> = []
    /// All that it was told about since it was emptied.
    var heard: Set<Int> = []
    /// Which row each of them was put behind, where it was.
    var anchors: [Int: Int] = [:]

    /// Since when the next page, the one before and a refresh are on their way.
    var loadingSince: [Int: Int64] = [:]
    /// Whether somebody asked for more than hints since nothing was failed any more.
    var hasAsked = false
    /// The last row seen, and how many calls had failed by then.
    var seen: (id: Int, failures: Int)?
    /// Whether nothing has happened to the rows since.
    var isAhead = false
    var isPaused = false
    /// The page that somebody wants to see.
    var jumpedTo: [UInt8]?
    /// Pages that somebody jumped to, and those that may be gone since a gap was filled, because others have their rows.
    var jumped: Set<[UInt8]> = []
    var left: Set<[UInt8]> = []
    /// A refresh that was asked for: pages, and since when they may not be older.
    var promises: [(keys: [[UInt8]], since: Int)] = []
    /// When all was asked for anew.
    var replacesAll = 0
    /// Rows that were there before a refresh of other pages, and when the server read them: they need not be newer. A
    /// list follows renewals of its pages, whoever caused them, so they may be newer and older than the refresh.
    var tolerated: [Int: Int] = [:]
    /// The same of before a refresh of all. Where a gap parts rows from the first page, they may come back as they
    /// were, until their own pages are refreshed.
    var toleratedApart: [Int: Int] = [:]
    /// Rows of edits that wait for the server.
    var covered: Set<Int> = []
    /// Rows that stood side by side before a refresh: it does not make that surer, and does not open a gap where it
    /// changes nothing.
    var neighbors: Set<[Int]> = []
    /// What refreshes have achieved: rows of these pages, and those that join them, are not older.
    var floors: [[UInt8]: Int] = [:]
    /// What a refresh of all has achieved: all rows behind the first page's are not older.
    var floor = 0
    let firstKey: [UInt8]
    /// Since when nothing may be missing at the start.
    var startFloor = 0
    /// Pages that were marked stale, and what they had shown by then.
    var stale: [(key: [UInt8], made: Int)] = []
    /// Rows beside a gap that somebody fills, and how many calls had failed by then.
    var missed: [(id: Int, failures: Int)] = []
    /// Whether a page named one that the list has elsewhere: that direction ends there, and the rest is behind a gap.
    var hasRepeatedKeys = false
    /// Whether the last thing that was told of is that nothing follows.
    var isEndTold = false
    /// A row that somebody looks at while its neighbors are loaded anew.
    var kept: Int?
    /// Whether anybody asked for a page.
    var isWanted = false
    var bookmark: PaginatorListBookmark?
    /// What it was told to show, and whether it shows something else until that has come.
    var scope = ""
    var isSwitching = false
    /// How often a page had taken the place of all by then.
    var replacements = 0
    /// Rows of edits that it did not show when it was told that: they come with the first page, though the rows that it
    /// keeps until then may be of the same scope.
    var awaited: Set<Int> = []

    init(_ number: Int, _ list: PaginatorList<UserItem, Int>, firstKey: [UInt8]) {
        self.firstKey = firstKey
        self.number = number
        self.list = list
    }

    /// The pages that something is shown of.
    var keys: [[UInt8]] {
        var keys: [[UInt8]] = []
        for row in list.snapshot where !row.page.isEmpty && !keys.contains(row.page) { keys.append(row.page) }
        return keys
    }

    var isLoading: Bool {
        let status = list.status
        return status.next.isLoading || status.previous.isLoading || status.refresh.isLoading || !status.gaps.isEmpty
    }

    /// Whether the list says of anything that it failed.
    var tellsFailure: Bool {
        let status = list.status
        return status.next.error ?? status.previous.error ?? status.refresh.error ?? status.staleError != nil
            || status.gaps.values.contains { $0.error != nil }
    }

    func wasPushed(_ id: Int, _ place: UserEdit.UserRowPlace, _ serverIDs: [Int: Int]) {
        pushed.insert(id)
        heard.insert(id)
        if case .after(let anchor) = place { anchors[id] = serverIDs[anchor] ?? anchor }
    }

    /// The list was emptied. A bookmark leads back to the same rows.
    func forget(isRestored: Bool = false) {
        forgetWishes()
        if !isRestored { (newest, pushed, anchors) = ([:], [], [:]) }
        oldest = [:]
        startFloor = 0
        hasRepeatedKeys = false
        heard = []
        floors = [:]
        floor = 0
        tolerated = [:]
        toleratedApart = [:]
        stale = []
    }

    /// Nothing is asked for any more.
    func forgetWishes() {
        seen = nil
        jumpedTo = nil
        kept = nil
        missed = []
        promises = []
    }

    /// The connection or the app is back. A refresh of all that is on its way, and fails now, is repeated at once, in
    /// place for somebody who looks at other rows than the first: nobody is told, and the first page need not be shown.
    func interrupt() {
        if promises.contains(where: { $0.since == replacesAll }) { promises = [] }
    }

    func willRefresh(
        _ refresh: PaginatorListRefresh, since: ([[UInt8]]) -> Int, wasServed: (Int) -> Bool
    ) {
        isWanted = isWanted || [.all, .firstPage, .stalePages, .keepingPlace].contains(refresh)
        let isReplaced =
            refresh != .all && list.status.refresh.isLoading && promises.contains { $0.since == replacesAll }
            && !list.snapshot.contains { $0.page == firstKey && $0.made >= replacesAll }
        // What comes of a jump, or takes the place of everything, is looked at then.
        if refresh != .all, !list.status.refresh.isLoading, let seen,
            list.snapshot.contains(where: { $0.id == seen.id })
        {
            kept = seen.id
        }
        switch refresh {
        // It waits for the first load.
        case .stalePages where isReplaced && keys.isEmpty: break
        case _ where isReplaced:
            // All of them are about to go.
            promise([firstKey], since)
        case .all:
            forgetWishes()
            toleratedApart.merge(tolerated) { _, new in new }
            replacesAll = since([firstKey])
            promises = [(keys: [firstKey], since: replacesAll)]
        case .firstPage: promise(keys.filter { $0 == firstKey }, since)
        case .keepingPlace: promise(keys, since)
        case .stalePages:
            promise(
                // A row that has left a page, which is new since, keeps the value that it had there.
                stale.filter { old in
                    let rows = list.snapshot.filter { $0.page == old.key }
                    return !rows.isEmpty && rows.allSatisfy { $0.made <= old.made || !wasServed($0.made) }
                }.map(\.key), since)
        default: break
        }
    }

    /// A refresh has ended well.
    func keep(_ promise: (keys: [[UInt8]], since: Int), isAll: Bool) {
        if isAll {
            // What came since, and was there before a refresh of other pages, stays.
            tolerated = tolerated.filter { $0.value >= promise.since }
            floor = promise.since
        } else {
            // Their rows came anew since. One that has left its page keeps the value that it had there.
            for rows in promise.keys.map({ key in list.snapshot.filter { $0.page == key } }) {
                let made = rows.map(\.made).max()
                for row in rows where row.made == made { toleratedApart[row.id] = nil }
            }
        }
        // What was refreshed at the same time may be a little older.
        for row in list.snapshot where !promise.keys.contains(row.page) && floors[row.page] ?? .max <= row.made {
            tolerated[row.id] = row.made
        }
        for key in promise.keys { floors[key] = max(floors[key] ?? 0, promise.since) }
    }

    /// Pages are to come anew; the others stay as they are.
    func promise(_ keys: [[UInt8]], _ since: ([[UInt8]]) -> Int) {
        promises.append((keys: keys, since: since(keys)))
        tolerateOthers(keys)
    }

    /// What comes before a refresh has brought anything is as what was there when it began.
    func tolerateEarly() {
        for promise in promises where promise.since != replacesAll {
            let hasCome = list.snapshot.contains { promise.keys.contains($0.page) && $0.made >= promise.since }
            if !hasCome { tolerateOthers(promise.keys) }
        }
    }

    private func tolerateOthers(_ keys: [[UInt8]]) {
        for row in list.snapshot where !row.page.isEmpty && !keys.contains(row.page) { tolerated[row.id] = row.made }
        // What an edit hides or lies over shows again, as it was, once that is refused.
        for id in covered { tolerated[id] = 0 }
        // Rows that no page has may stand between two of pages.
        for rows in [Array(list.snapshot), list.snapshot.filter { !$0.page.isEmpty }] {
            for (left, right) in zip(rows, rows.dropFirst()) { neighbors.insert([left.id, right.id]) }
        }
    }
}
