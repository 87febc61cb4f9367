// A chat: it begins at the newest messages, loads older ones above, and shows incoming messages and one that is being sent.
import Foundation
import PaginatorCore
import PaginatorLists

nonisolated struct Message: Sendable, Identifiable {
    let id: String
    var text: String
    var isSent = true
    var hasFailed = false
}

// The first page is the newest one; `prevKey` leads to older messages.
let history = ClosureDataSource<Message>(firstKey: "newest") { (request: SourceRequest) -> PaginatorPage<Message> in
    let end = max(0, Int(request.key) ?? 100)
    let start = max(0, end - request.pageSize)
    return PaginatorPage(
        content: (start..<end).map { Message(id: "m\($0)", text: "message \($0)") }, key: request.key,
        prevKey: start > 0 ? String(start) : nil)
}
let list = PaginatorList(CallbackPaginator(dataSource: history))

let observation = list.observe { update in
    print(update.snapshot.count, "messages, the last:", update.snapshot.last?.text ?? "none")
    if update.snapshot.count == 63, update.snapshot.last?.isSent == true { exit(0) }
}

list.refresh { _ in
    // The user scrolls up: older messages are inserted above, and visible rows stay in place (`update.anchor`).
    list.loadPrevious()
    // A message arrives over the socket.
    list.insertLive([Message(id: "m100", text: "are you there?")], at: .tail)
    // The user sends a message: it is shown at once, with an identity that the device creates and the server keeps.
    let id = UUID().uuidString
    let draft = list.edits.beginInsert(Message(id: id, text: "hello", isSent: false), at: .tail)
    draft.commit(with: Message(id: id, text: "hello"))
    // It could not be sent: its row stays and says so, until the user tries again.
    let other = UUID().uuidString
    let unsent = list.edits.beginInsert(Message(id: other, text: "hello again", isSent: false), at: .tail)
    let failure = list.edits.begin(other) { Message(id: $0.id, text: $0.text, isSent: false, hasFailed: true) }
    failure.rollBack()
    unsent.commit(with: Message(id: other, text: "hello again"))
}
dispatchMain()
