import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// Prints what a screen shows: which messages are loaded, the last two, and the number of new ones.
func draw(_ chat: Chat) {
    let (rows, status) = (chat.list.snapshot, chat.list.status)
    let numbers = rows.compactMap(\.number)
    print("  messages \(numbers.first ?? 0) to \(numbers.last ?? 0), older ones: \(status.hasPrevious ? "yes" : "no")")
    for message in rows.suffix(2) {
        print("  \(message.author): \(message.text)\(message.number == nil ? " (sending)" : "")")
    }
    if status.newBelow > 0 { print("  [ \(status.newBelow) new ]") }
}

/// Waits for an update that fulfills the condition.
func wait(for chat: Chat, until isTrue: (PaginatorListUpdate<Message, Message.ID>) -> Bool) async {
    for await update in chat.list.states() where isTrue(update) { return }
}
