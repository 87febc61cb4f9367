import Foundation
import GRDB

/// The posts that a new backend has: the same in every run, but for their ids.
struct PostCorpus: Sendable {
    private struct Post {
        let author: Int
        let content: String
        let attachments: [String]
        let likeCount: Int
    }

    private let posts: [Post]

    /// Makes posts, the newest first.
    init(count: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        posts = (0..<count).map { number in
            let kinds = random.below(4) == 0 ? (0...random.below(4)).map { $0 == 3 ? "video" : "image" } : []
            return Post(
                author: random.below(Self.names.count), content: Self.makeContent(number, &random),
                attachments: kinds, likeCount: random.below(10) == 0 ? random.below(1_000_000) : random.below(50))
        }
    }

    private static let names = [
        "Ada Lovelace", "Søren Ødegård", "李小龍", "مريم الإسطرلابي", "Zoë 🌈", "D'Arcy \"Dot\" O’Neil", "ひらがな",
        "Nguyễn Thị Hồng", "cafe\u{301}", "caf\u{e9}",
    ]

    private static let phrases = [
        "Good morning ☀️", "naïve façade, coöperation", "日本語のテキストです。", "שלום עולם", "مرحبا بالعالم",
        "👩‍👩‍👧‍👦 at the 🏖️", "e\u{301} is not always é", "100 % of <i>nothing</i>", "C:\\path\\to \"file\"",
        "<b>bold</b> and <i>italic</i>", "🇩🇪🇫🇷🇯🇵", "Ω≈ç√∫˜µ≤≥÷", "z̶a̶l̶g̶o̶", "&lt;script&gt;alert('hi')&lt;/script&gt;",
        "a\u{200B}zero\u{200B}width", "plain words and nothing else",
    ]

    /// One text in twenty is several hundred words long.
    private static func makeContent(_ number: Int, _ random: inout SeededNumbers) -> String {
        let length = number % 20 == 7 ? 80 + random.below(80) : 1 + random.below(4)
        let text = (0..<length).map { _ in phrases[random.below(phrases.count)] }.joined(separator: " ")
        return "<p>Post \(number): \(text)</p>"
    }

    /// Writes the posts with ids that end now.
    func write(to database: BackendDatabase) throws {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        try database.queue.write { db in
            let authors = Self.names.indices.map { _ in database.makeID() }
            for (id, name) in zip(authors, Self.names) {
                try db.execute(
                    sql: "INSERT INTO user VALUES (?, ?, ?)", arguments: [id, name, "/cdn/images/avatar-\(id)"])
            }
            let insert = try db.makeStatement(
                sql: """
                    INSERT INTO post (id, authorId, requestId, rank, content, summary, createdAt, likeCount)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            let attach = try db.makeStatement(
                sql:
                    "INSERT INTO attachment (id, postId, type, contentUrl, previewImageUrl, caption) VALUES (?, ?, ?, ?, ?, ?)"
            )
            for (number, post) in posts.enumerated().reversed() {
                let id = database.makeID()
                try insert.execute(arguments: [
                    id, authors[post.author], "corpus-\(number)", id, post.content,
                    PostSummary.make(from: post.content),
                    now - Int64(number) * 97_000, post.likeCount,
                ])
                for (index, type) in post.attachments.enumerated() {
                    let name = "\(number)-\(index)"
                    try attach.execute(arguments: [
                        database.makeID(), id, type, type == "image" ? "/cdn/images/\(name)" : "/cdn/videos/\(name)",
                        "/cdn/images/\(name)", index == 0 ? "Caption of \(name)" : nil,
                    ])
                }
            }
        }
    }
}
