import FlyingFox
import FlyingSocks
import Foundation
import GRDB
import PaginatorCore

/// What happens to posts, as server-sent events.
extension FeedBackend {
    enum EventKind: String {
        case created = "new-posts"
        /// A scheduled one has come, which its author does not have either.
        case published
        case edited
        case deleted
    }

    func addEventRoute(to routes: inout BackendRoutes) {
        routes.add("GET /v1/feed/events") { [self] request, user in
            let newest =
                try await database.queue.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM postEvent") } ?? 0
            let last = request.headers("Last-Event-ID").map { Int64($0) ?? .max } ?? newest
            guard last <= newest else { throw BackendRefusal(410, "there was no such event") }
            // The last one asks proxies to hold nothing back.
            var response = BackendResponse(headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ])
            response.stream = HTTPBodySequence(
                from: PostEvents(backend: self, user: user, session: request.session, lastID: last))
            return response
        }
    }

    /// Writes down an event with what it tells of; who listens is told after the commit.
    func note(_ kind: EventKind, of post: Int64, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO postEvent (kind, postId) VALUES (?, ?)", arguments: [kind.rawValue, post])
        db.afterNextTransaction { [self] _ in tick() }
    }

    /// Lets everybody who listens look for what is new, and whether they may listen at all.
    func tick() {
        for listener in eventListeners.withLock({ Array($0.values) }) { listener.yield() }
    }

    /// A stream that says when there may be events; the first time at once, and now and then without one.
    fileprivate func eventTicks() -> AsyncStream<Void> {
        let id = UUID()
        let (ticks, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let heartbeat = Task {
            while true {
                try await Task.sleep(for: .seconds(15))
                continuation.yield()
            }
        }
        eventListeners.withLock { $0[id] = continuation }
        continuation.onTermination = { [eventListeners] _ in
            heartbeat.cancel()
            eventListeners.withLock { _ = $0.removeValue(forKey: id) }
        }
        continuation.yield()
        return ticks
    }

    /// The events behind one, as they go over the wire: at most ``eventLimit`` at once. Posts of the user are not announced:
    /// who wrote them has them.
    ///
    /// - Returns: `nil` where the session has ended.
    fileprivate func events(
        behind lastID: Int64, for user: BackendUser, in session: Int64
    ) async throws -> (text: String, lastID: Int64, areMore: Bool)? {
        try await publishDue()
        return try await database.queue.read { db in
            guard try Bool.fetchOne(db, sql: "SELECT 1 FROM session WHERE id = ?", arguments: [session]) != nil else {
                return nil
            }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT postEvent.*, isDeleted FROM postEvent JOIN post ON post.id = postId
                    WHERE postEvent.id > ? AND (kind <> ? OR authorId <> ?) ORDER BY postEvent.id LIMIT ?
                    """, arguments: [lastID, EventKind.created.rawValue, user.id, Self.eventLimit])
            let events = try rows.map { row in
                let (id, post): (Int64, Int64) = (row["id"], row["postId"])
                var name: String = row["kind"]
                let data: String
                switch EventKind(rawValue: row["kind"]) {
                case .created, .published: (name, data) = (EventKind.created.rawValue, "1")
                // As it is now; of one that is gone its deletion tells.
                case .edited where row["isDeleted"] == 0:
                    let answer = try BackendJSON.encoder.encode(try PostDetailAnswer.fetch(db, post, for: user))
                    data = String(decoding: answer, as: UTF8.self)
                case .deleted: data = "\(post)"
                case .edited, nil: return "id: \(id)\n\n"
                }
                return "event: \(name)\nid: \(id)\ndata: \(data)\n\n"
            }
            return (events.joined(), rows.last?["id"] ?? lastID, rows.count == Self.eventLimit)
        }
    }

    /// How many events go out in one piece: each may be a whole post.
    private static var eventLimit: Int { 100 }
}

/// The body of an answer that goes on until one side closes the connection.
private struct PostEvents: AsyncBufferedSequence {
    typealias Element = UInt8

    let backend: FeedBackend
    let user: BackendUser
    let session: Int64
    let lastID: Int64

    func makeAsyncIterator() -> Iterator {
        Iterator(backend: backend, user: user, session: session, lastID: lastID, ticks: backend.eventTicks())
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let backend: FeedBackend
        let user: BackendUser
        let session: Int64
        var lastID: Int64
        let ticks: AsyncStream<Void>
        var isFirst = true
        var areMore = false

        mutating func next() async throws -> UInt8? { throw BackendFailure.cut }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if !areMore {
                var ticks = ticks.makeAsyncIterator()
                guard await ticks.next() != nil else { return nil }
            }
            guard let events = try await backend.events(behind: lastID, for: user, in: session) else { return nil }
            // Where a connection begins, so that the next one can go on there though nothing has happened.
            let start = isFirst ? "id: \(lastID)\n\n" : ""
            (lastID, areMore, isFirst) = (events.lastID, events.areMore, false)
            let text = start + events.text
            // A comment keeps the connection open, and finds out whether it is.
            return Array((text.isEmpty ? ":\n\n" : text).utf8)
        }
    }
}
