import Foundation
import GRDB
import PaginatorAsync
import PaginatorCore
import Testing

/// A row of the table `post`.
private struct Post: Codable, FetchableRecord, PersistableRecord, Identifiable, Sendable {
    let id: Int
    let date: Int
}

/// The posts of a database, the newest first.
private func postTable(_ database: any DatabaseReader) -> ClosureDataSource<Post> {
    ClosureDataSource(firstKey: "0", needsConnection: false) { request in
        let offset = Int(request.key) ?? 0
        // One row more than requested, to know whether there is a next page.
        let rows = try database.read { db in
            try Post.order(Column("date").desc).limit(request.pageSize + 1, offset: offset).fetchAll(db)
        }
        return PaginatorPage(
            content: Array(rows.prefix(request.pageSize)), key: request.key,
            nextKey: rows.count > request.pageSize ? String(offset + request.pageSize) : nil)
    }
}

/// The same table, which a server fills.
private func syncedPosts(
    _ database: any DatabaseWriter, remote: some PaginatorDataSource<Post>
) -> MediatorDataSource<Post, Post> {
    let local = ClosureDataSource<Post>(firstKey: "0") { request in
        let offset = Int(request.key) ?? 0
        let rows = try database.read { db in
            try Post.order(Column("date").desc).limit(request.pageSize, offset: offset).fetchAll(db)
        }
        // Every full page has a next key: the server may have more rows.
        let isFull = rows.count == request.pageSize
        return PaginatorPage(
            content: rows, key: request.key, nextKey: isFull ? String(offset + request.pageSize) : nil)
    }
    return MediatorDataSource(local: local, remote: remote, refreshesFirstPage: true, servesLocalOnFailure: true) {
        page, _, isRefresh, done in
        database.asyncWrite(
            { db in
                if isRefresh { try Post.deleteAll(db) }
                for post in page.content { try post.upsert(db) }
            }, completion: { _, result in done(result) })
    }
}

/// The code of docs/guide/databases.md.
@Suite struct DatabaseArticleTests {
    private let posts = (0..<45).map { Post(id: $0, date: 1_000 - $0) }
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { db in
            try db.create(table: "post") { table in
                table.primaryKey("id", .integer)
                table.column("date", .integer).notNull()
            }
        }
    }

    private func pages(of source: some PaginatorDataSource<Post>) async throws -> [[Int]] {
        let paginator = CallbackPaginator(dataSource: source)
        var pages: [[Int]] = []
        for try await page in paginator.pages(from: "0", pageSize: 20) { pages.append(page.content.map(\.id)) }
        return pages
    }

    @Test func `a table is paged to its end`() async throws {
        try await database.write { [posts] db in for post in posts { try post.insert(db) } }
        #expect(try await pages(of: postTable(database)) == [Array(0..<20), Array(20..<40), Array(40..<45)])
    }

    @Test func `a table that is empty is filled from the server, and paged to the server's end`() async throws {
        #expect(
            try await pages(of: syncedPosts(database, remote: ArrayDataSource(posts)))
                == [Array(0..<20), Array(20..<40), Array(40..<45)])
        #expect(try await database.read { db in try Post.fetchCount(db) } == 45)
    }
}
