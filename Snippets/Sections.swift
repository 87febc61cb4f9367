import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorUI

nonisolated struct Message: Sendable, Identifiable {
    let id: Int
    var day: String { "day \(id / 10 + 1)" }
}

let messages = ArrayDataSource((0..<45).map { Message(id: $0) })
let list = PaginatorList(CallbackPaginator(dataSource: messages))

/// A screen with sections: it applies each update of the list to its sections.
@MainActor final class Screen {
    private var days = PaginatorListSections<Message, Message.ID, String>(by: { $0.day })

    func show(_ update: PaginatorListUpdate<Message, Message.ID>) {
        // In a collection view: `collectionView.perform(difference) { days = next }`. Its data source must not change
        // before the batch update, so the update is applied to a copy.
        var next = days
        let difference = next.apply(update)
        days = next
        print(days.sections.map { "\($0.key): \($0.range.count)" }, "inserted:", difference.insertedSections.count)
        if update.status.next == .endReached { exit(0) }
        if !update.status.next.isLoading { list.loadNext() }
    }
}

let screen = Screen()
let observation = list.observe(onMain: { update in screen.show(update) })
dispatchMain()
