@testable import PaginatorUI

/// What `UICollectionView` does with a batch of updates of sections and rows, and what it refuses, written down from its
/// documentation and its exceptions; it computes nothing that a difference does.
struct StrictSectionedView<Item: Identifiable, ID: Hashable> {
    typealias Place = PaginatorBatch.Place
    typealias Content = [(id: ID, rows: [Item])]

    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// The sections with their header and cells, as the data source gave them when they were made.
    private(set) var sections: Content = []

    private func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws(Refusal) {
        if !condition { throw Refusal(description: complaint()) }
    }

    mutating func performBatchUpdates(_ batch: PaginatorSectionsDifference, content: Content) throws(Refusal) {
        let (deleted, inserted) = (batch.removedSections, batch.insertedSections)
        let (movedFrom, movedTo) = (batch.movedSections.map(\.from), batch.movedSections.map(\.to))
        for (sources, count) in [(deleted + movedFrom, sections.count), (inserted + movedTo, content.count)] {
            try require(Set(sources).count == sources.count, "a section is named twice: \(sources)")
            try require(sources.allSatisfy { (0..<count).contains($0) }, "section of \(sources) is outside \(count)")
        }
        try require(
            content.count == sections.count - deleted.count + inserted.count,
            "invalid number of sections: \(content.count) after, \(sections.count) before, -\(deleted) +\(inserted)")
        // Rows of sections that come, go or move are not named.
        let (out, into) = (batch.rows.removals, batch.rows.insertions)
        let (from, to) = (batch.rows.moves.map(\.from), batch.rows.moves.map(\.to))
        try require(Set(out + from).count == (out + from).count, "a row is deleted or moved twice: \(out + from)")
        try require(Set(into + to).count == (into + to).count, "rows are inserted or moved to one place: \(into + to)")
        for place in out + from {
            try require(!(deleted + movedFrom).contains(place.section), "\(place) is in a section that goes")
            try require(
                sections.indices.contains(place.section) && sections[place.section].rows.indices.contains(place.row),
                "\(place) was not there")
        }
        for place in into + to {
            try require(!(inserted + movedTo).contains(place.section), "\(place) is in a section that comes")
            try require(
                content.indices.contains(place.section) && content[place.section].rows.indices.contains(place.row),
                "\(place) is not there")
        }
        var origins: [Int?] = content.map { _ in nil }
        for move in batch.movedSections { origins[move.to] = move.from }
        var staying = sections.indices.filter { !(deleted + movedFrom).contains($0) }[...]
        for index in content.indices where origins[index] == nil && !inserted.contains(index) {
            origins[index] = staying.removeFirst()
        }
        var new: Content = []
        for (index, origin) in origins.enumerated() {
            guard let origin else {
                new.append(content[index])
                continue
            }
            let old = sections[origin]
            var cells: [Item?] = content[index].rows.map { _ in nil }
            var left = old.rows.indices.filter { !(out + from).contains(Place(section: origin, row: $0)) }[...]
            let came = (into + to).filter { $0.section == index }
            try require(
                cells.count == left.count + came.count,
                "invalid number of items in section \(index): \(cells.count), \(left.count) stay, \(came.count) come")
            for place in into where place.section == index { cells[place.row] = content[index].rows[place.row] }
            for move in batch.rows.moves where move.to.section == index {
                cells[move.to.row] = sections[move.from.section].rows[move.from.row]
            }
            for row in cells.indices where cells[row] == nil { cells[row] = old.rows[left.removeFirst()] }
            new.append((old.id, cells.compactMap { $0 }))
        }
        sections = new
        let updates = batch.rows.updates
        try require(Set(updates).count == updates.count, "a row is reconfigured twice: \(updates)")
        for place in updates { sections[place.section].rows[place.row] = content[place.section].rows[place.row] }
    }
}
