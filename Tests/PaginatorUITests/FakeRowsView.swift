import PaginatorCore
import Testing

@testable import PaginatorUI

/// A view of rows of different heights, as strict as UIKit's: it scrolls by points, and keeps its offset when rows
/// change.
@MainActor
final class FakeRowsView: RowsView {
    private(set) var ids: [Int] = []
    private(set) var configured: [Int: Int] = [:]
    private(set) var reloaded: [Int] = []
    private(set) var animations = 0
    private var sections: [Int] = []
    private(set) var keys: [String] = []
    /// By how much a row grows when it is configured anew.
    var growth = 0.0
    private var grown: [Int: Double] = [:]
    var onScroll: (@MainActor () -> Void)?
    var offset = 0.0 { didSet { onScroll?() } }
    /// Of the screen; zero before the first layout.
    var height = 300.0
    /// How much of the screen a bar covers at its top.
    var barHeight = 0.0
    /// Called while the view goes from some rows to others.
    var whileShowing: () -> Void = {}

    private func height(_ id: Int) -> Double { 40 + Double(abs(id) % 4) * 11 + grown[id, default: 0] }

    func top(_ row: Int) -> Double { ids.prefix(row).reduce(0) { $0 + height($1) } }

    /// The visible items, each with how far below the top of the screen it begins.
    var screen: [(id: Int, top: Double)] {
        (visibleRows ?? 0..<0).map { (ids[$0], top($0) - offset) }
    }

    var sectionCount: Int { sections.count }

    var visiblePlaces: [Place] { (visibleRows ?? 0..<0).map { places[$0] } }

    private var places: [Place] {
        sections.enumerated().flatMap { section, count in (0..<count).map { Place(section: section, row: $0) } }
    }

    private var bounds: ScrollBounds {
        ScrollBounds(offset: offset, height: height, contentHeight: top(ids.count), topInset: barHeight)
    }

    var visibleRows: Range<Int>? {
        let bounds = bounds
        let rows = ids.indices.filter { bounds.shows(from: top($0), to: top($0) + height(ids[$0])) }
        guard let first = rows.first, let last = rows.last else { return nil }
        return first..<last + 1
    }

    func top(of place: Place) -> Double? { places.firstIndex(of: place).map { top($0) - offset } }

    func scroll(by distance: Double) { offset = bounds.offset(after: distance) }

    func scrollToStart() { offset = bounds.startOffset }

    var isAtEnd: Bool { bounds.isAtEnd }

    func scrollToEnd(_ last: Place) {
        #expect(last == places.last)
        offset = bounds.endOffset
    }

    func scroll(to place: Place) {
        if let top = top(of: place) { offset += top - barHeight }
    }

    func show(_ shown: ShownRows<Int>) {
        let (ids, updated) = (shown.sections.flatMap(\.rows), shown.updated)
        #expect(Set(shown.sections.map(\.id)).count == shown.sections.count, "a section twice")
        sections = shown.sections.map(\.rows.count)
        keys = shown.sections.map { "\($0.id.key.base)" }
        #expect(Set(ids).count == ids.count, "an identity twice")
        #expect(Set(updated).isSubset(of: ids), "reconfigures what is not there")
        for id in ids where !self.ids.contains(id) || updated.contains(id) { configured[id, default: 0] += 1 }
        #expect(Set(shown.reloaded).isSubset(of: ids) && Set(shown.reloaded).isDisjoint(with: updated))
        reloaded += shown.reloaded
        for id in updated { grown[id, default: 0] += growth }
        whileShowing()
        self.ids = ids
        // Nothing is shown behind the last row.
        if offset > bounds.endOffset { offset = bounds.endOffset }
        if shown.isAnimated { animations += 1 }
    }
}

/// What a view with a plain data source refuses.
struct InvalidUpdate: Error, CustomStringConvertible {
    let description: String
}

/// A collection view with a plain data source, as strict as UIKit's: what it shows moves as it is told, and it throws
/// where UIKit ends the app.
@MainActor
final class FakeCollectionView {
    /// What each row shows, and how often its cell was configured, by section.
    private(set) var sections: [[(item: String, configured: Int)]]
    private let data: () -> [[String]]

    init(_ data: @escaping () -> [[String]]) {
        self.data = data
        sections = data().map { $0.map { ($0, 1) } }
    }

    var shown: [[String]] { sections.map { $0.map(\.item) } }

    /// Performs both steps of a batch.
    func perform(_ batch: PaginatorBatch, setRows: () -> Void) throws {
        try checkOnce(batch.removals + batch.moves.map(\.from), in: sections.map(\.count), "goes")
        setRows()
        let new = data()
        try checkOnce(batch.insertions + batch.moves.map(\.to), in: new.map(\.count), "comes")
        guard new.count == sections.count else { throw InvalidUpdate(description: "invalid number of sections") }
        for (section, rows) in new.enumerated() {
            let left = (batch.removals + batch.moves.map(\.from)).filter { $0.section == section }.count
            let came = (batch.insertions + batch.moves.map(\.to)).filter { $0.section == section }.count
            guard rows.count == sections[section].count - left + came else {
                throw InvalidUpdate(
                    description: """
                        invalid number of items in section \(section): \(rows.count) after the update, and \
                        \(sections[section].count) before it, \(left) gone, \(came) come
                        """)
            }
        }
        move(batch, new)
        // The second step: each update is of a row that is there now.
        try checkOnce(batch.updates, in: new.map(\.count), "is updated")
        for place in batch.updates {
            sections[place.section][place.row].item = new[place.section][place.row]
            sections[place.section][place.row].configured += 1
        }
    }

    private func move(_ batch: PaginatorBatch, _ new: [[String]]) {
        let before = sections
        for place in (batch.removals + batch.moves.map(\.from)).sorted(by: { $0.row > $1.row }) {
            sections[place.section].remove(at: place.row)
        }
        // A cell that moves is not configured anew.
        let came =
            batch.insertions.map { ($0, (item: new[$0.section][$0.row], configured: 1)) }
            + batch.moves.map { ($0.to, before[$0.from.section][$0.from.row]) }
        for (place, row) in came.sorted(by: { $0.0.row < $1.0.row }) {
            sections[place.section].insert(row, at: place.row)
        }
    }

    private func checkOnce(_ places: [PaginatorBatch.Place], in counts: [Int], _ what: String) throws {
        guard Set(places).count == places.count else { throw InvalidUpdate(description: "a row \(what) twice") }
        for place in places {
            guard counts.indices.contains(place.section), (0..<counts[place.section]).contains(place.row) else {
                throw InvalidUpdate(description: "\(place) \(what), and there is no such row")
            }
        }
    }
}
