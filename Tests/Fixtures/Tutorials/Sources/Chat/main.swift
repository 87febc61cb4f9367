import PaginatorCore
import PaginatorLists

let server = ChatServer()
let chat = Chat(on: server, firstUnread: 61)
await chat.follow()

print("opened at the first unread message:")
chat.list.loadNext()
await wait(for: chat) { $0.snapshot.count == 20 }
draw(chat)

print("scrolled up:")
chat.list.loadPrevious()
await wait(for: chat) { $0.snapshot.count == 40 }
draw(chat)

print("Ben writes while the end is not loaded:")
_ = try await server.take(Message(id: "ben-1", author: "Ben", text: "are you there?"))
await wait(for: chat) { $0.status.newBelow == 1 }
draw(chat)

print("scrolled down to the end:")
chat.list.loadNext()
await wait(for: chat) { $0.status.next == .endReached }
draw(chat)

print("Mia answers, in a tunnel:")
await server.enterTunnel()
async let sent: Void = chat.send(Message(id: "mia-1", author: "Mia", text: "yes"))
await wait(for: chat) { $0.snapshot.contains(id: "mia-1") }
draw(chat)

print("out of the tunnel:")
await server.leaveTunnel()
await sent
await wait(for: chat) { $0.snapshot[id: "mia-1"]?.number != nil }
draw(chat)

print("a message that is too long:")
await chat.send(Message(id: "mia-2", author: "Mia", text: "a text of more than twenty letters"))
await wait(for: chat) { !$0.snapshot.contains(id: "mia-2") }
draw(chat)
