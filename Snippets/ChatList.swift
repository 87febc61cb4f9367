// A chat: begins at the newest messages, loads older ones above, and shows what comes in and what is being sent.
import Foundation
import PaginatorCore
import PaginatorLists

nonisolated struct Message: Sendable, Identifiable {
    let id: String
    var text: String
    var isSent = true
}

// The newest page is the last one of the history; `prevKey` leads to what is older.
let history = ClosureDataSource<Message>(firstKey: "newest") { (request: SourceRequest) -> PaginatorPage<Message> in
    let end = Int(request.key) ?? 100
    let start = max(0, end - request.pageSize)
    return PaginatorPage(
        content: (start..<end).map { Message(id: "m\($0)", text: "message \($0)") }, key: request.key,
        prevKey: start > 0 ? String(start) : nil)
}
let list = PaginatorList(CallbackPaginator(dataSource: history))

let observation = list.observe { update in
    print(update.snapshot.count, "messages, the last:", update.snapshot.last?.text ?? "none")
    if update.snapshot.last?.text == "hello" { exit(0) }
}

list.refresh { _ in
    // Somebody scrolls up: older messages come above, and what is visible stays where it is (`update.anchor`).
    list.loadPrevious()
    // A message comes over the socket.
    list.insertLive([Message(id: "m100", text: "are you there?")], at: .tail)
    // One is written: it shows at once, under an identity of its own, until the server has given it another.
    let draft = list.edits.beginInsert(Message(id: "local-1", text: "hello", isSent: false), at: .tail)
    draft.commit(with: Message(id: "m101", text: "hello"))
}
dispatchMain()
