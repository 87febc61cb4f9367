import FlyingFox
import FlyingSocks
import Foundation
import GRDB
import PaginatorCore

/// Events of posts, as server-sent events.
extension FeedBackend {
    enum EventKind: String {
        case created = "new-posts"
        /// A scheduled post has appeared, which no device has yet.
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
            // The last header asks proxies not to buffer.
            var response = BackendResponse(headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ])
            response.stream = HTTPBodySequence(
                from: PostEvents(backend: self, user: user, session: request.session, lastID: last))
            return response
        }
    }

    /// Records an event with its post; listeners are notified after the commit.
    ///
    /// - Parameter session: the session that has created the post; `nil` for none.
    func note(_ kind: EventKind, of post: Int64, in session: Int64? = nil, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO postEvent (kind, postId, device) VALUES (?, ?, ?)",
            arguments: [kind.rawValue, post, try session.flatMap { try device(of: $0, db) }])
        db.afterNextTransaction { [self] _ in tick() }
    }

    /// Returns the device of a session, which outlives it, or the session itself if its client has no id; `nil` if the
    /// session has ended.
    private func device(of session: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT coalesce(device, CAST(id AS TEXT)) FROM session WHERE id = ?", arguments: [session])
    }

    /// Makes all listeners check for new events, and for the end of their session.
    func tick() {
        for listener in eventListeners.withLock({ Array($0.values) }) { listener.yield() }
    }

    /// Returns a stream of wake-ups for new events; the first at once, and later some without events.
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

    /// Returns the events after one as they are sent, at most ``eventLimit`` at once. New posts of the session's device
    /// are skipped, because it has them; the author's other devices do not. Of older events the device is not known, and
    /// the author's devices skip them all.
    ///
    /// - Returns: `nil` if the session has ended.
    fileprivate func events(
        behind lastID: Int64, for user: BackendUser, in session: Int64
    ) async throws -> (text: String, lastID: Int64, areMore: Bool)? {
        try await publishDue()
        return try await database.queue.read { [self] db in
            guard let device = try device(of: session, db) else { return nil }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT postEvent.*, isDeleted FROM postEvent JOIN post ON post.id = postId
                    WHERE postEvent.id > ?
                        AND NOT (kind = ? AND authorId = ? AND (postEvent.device IS NULL OR postEvent.device = ?))
                    ORDER BY postEvent.id LIMIT ?
                    """,
                arguments: [lastID, EventKind.created.rawValue, user.id, device, Self.eventLimit])
            let events = try rows.map { row in
                let (id, post): (Int64, Int64) = (row["id"], row["postId"])
                var name: String = row["kind"]
                let data: String
                switch EventKind(rawValue: row["kind"]) {
                case .created where row["isDeleted"] == 0, .published where row["isDeleted"] == 0:
                    (name, data) = (EventKind.created.rawValue, "1")
                // The current post; a deleted post has only a deletion event.
                case .edited where row["isDeleted"] == 0:
                    let answer = try BackendJSON.encoder.encode(try PostDetailAnswer.fetch(db, post, for: user))
                    data = String(decoding: answer, as: UTF8.self)
                case .deleted: data = "\(post)"
                case .created, .published, .edited, nil: return "id: \(id)\n\n"
                }
                return "event: \(name)\nid: \(id)\ndata: \(data)\n\n"
            }
            return (events.joined(), rows.last?["id"] ?? lastID, rows.count == Self.eventLimit)
        }
    }

    /// The maximum number of events in one piece, each of which may be a whole post.
    private static var eventLimit: Int { 100 }
}

/// A body that continues until one side closes the connection.
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
            // The start of the connection, so that the next one can continue there even without events.
            let start = isFirst ? "id: \(lastID)\n\n" : ""
            (lastID, areMore, isFirst) = (events.lastID, events.areMore, false)
            let text = start + events.text
            // A comment keeps the connection open, and detects a closed one.
            return Array((text.isEmpty ? ":\n\n" : text).utf8)
        }
    }
}
