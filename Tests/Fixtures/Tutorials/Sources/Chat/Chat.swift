import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// A conversation as Mia sees it.
struct Chat {
    let server: ChatServer
    let list: PaginatorList<Message, Message.ID>

    /// Opens the conversation at the first unread message.
    init(on server: ChatServer, firstUnread: Int) {
        self.server = server
        let source = AsyncDataSource(firstKey: "1") { request in
            guard let number = Int(request.key) else { throw SourceError.keyExpired(TooLong()) }
            return await server.page(from: number, count: request.pageSize)
        }
        var config = PaginatorListConfig()
        config.pageSize = 20
        config.initialKey = String(firstUnread)
        list = PaginatorList(CallbackPaginator(dataSource: source), config: config)
    }

    /// Shows incoming messages if the end of the list is loaded, and counts them otherwise.
    func follow() async {
        let list = list
        await server.listen { message in list.insertLive([message], at: .tail) }
    }

    /// Sends a message: it is shown at once, gets its number from the server, and is removed if the server refuses it.
    func send(_ message: Message) async {
        let sending = list.edits.beginInsert(message, at: .tail)
        do {
            sending.commit(with: try await server.take(message))
        } catch {
            sending.rollBack()
        }
    }
}
