import Foundation
import PaginatorCore
import PaginatorLists

nonisolated struct Photo: Sendable, Identifiable {
    let id: Int
}

// A source addressed by offset, which reports its total number of items.
let photos = ArrayDataSource((0..<1_000).map { Photo(id: $0) })
var config = PaginatorListConfig()
config.addressing = .offset
let list = PaginatorList(CallbackPaginator(dataSource: photos), config: config)

let observation = list.observe { update in
    let (photos, status) = (update.snapshot, update.status)
    guard status.hasLoaded else { return }
    if case .offline(let savedAt)? = status.freshness { print("Offline, saved at \(savedAt)") }
    // The scroll bar is correct if there is an empty row for each item that is missing on either side.
    print("\(status.placeholdersBefore) + \(photos.count) + \(status.placeholdersAfter) of \(status.total ?? 0)")
    // An item is found by its identity; the placeholders before it add to its row.
    if let position = photos.position(of: 512) {
        print("photo \(photos[position].id) is row \(status.placeholdersBefore + position)")
        exit(0)
    }
}
// Where the user drags the scroll bar to: with offsets, every position is a key.
list.jump(to: "500")
dispatchMain()
