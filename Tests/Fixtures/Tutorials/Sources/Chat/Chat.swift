import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// A conversation on the screen of Mia.
struct Chat {
    let server: ChatServer
    let list: PaginatorList<Message, Message.ID>

    /// Opens the conversation at the first message that has not been read.
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

    /// Shows what others write: at the end when the end is loaded, else it is counted.
    func follow() async {
        let list = list
        await server.listen { message in list.insertLive([message], at: .tail) }
    }

    /// Sends a message: shown at once, numbered when the server has it, gone when the server refuses it.
    func send(_ message: Message) async {
        let sending = list.edits.beginInsert(message, at: .tail)
        do {
            sending.commit(with: try await server.take(message))
        } catch {
            sending.rollBack()
        }
    }
}
