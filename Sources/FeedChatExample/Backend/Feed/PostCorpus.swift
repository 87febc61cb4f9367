import Foundation
import GRDB
import RichText

/// The posts of a new backend: the same in every run, except for their ids.
package struct PostCorpus: Sendable {
    /// The kind of texts.
    package enum Kind: Sendable {
        /// Texts that are hard to handle, each with its number.
        case awkward
        /// Everyday texts.
        case everyday
    }

    private struct Post {
        let author: Int
        let content: String
        let attachments: [(name: String, type: String, caption: String?)]
        let likeCount: Int
    }

    private let names: [String]
    private let posts: [Post]

    /// Creates posts, the newest first.
    init(_ kind: Kind = .awkward, count: Int, seed: UInt64) {
        self =
            switch kind {
            case .awkward: PostCorpus(awkward: count, seed: seed)
            case .everyday: PostCorpus(everyday: count, seed: seed)
            }
    }

    private init(everyday count: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        names = EverydayTexts.names
        var last = -1
        // The numbers of posts about each subject, short and long ones.
        var counts = [[Int]](repeating: [0, 0], count: EverydayTexts.subjects.count)
        posts = (0..<count).map { number in
            // No author writes two posts in a row.
            let author = (last + 1 + random.below(EverydayTexts.names.count - 1)) % EverydayTexts.names.count
            last = author
            let about = random.below(EverydayTexts.subjects.count)
            let subject = EverydayTexts.subjects[about]
            let isLong = number % 20 == 7
            let content = EverydayTexts.makeContent(
                of: subject, number: counts[about][isLong ? 1 : 0], isLong: isLong, &random)
            counts[about][isLong ? 1 : 0] += 1
            let pictures =
                subject.captions.isEmpty || random.below(5) > 1 ? 0 : 1 + random.below(3) / 2 * random.below(3)
            let attachments = (0..<pictures).map { index in
                (
                    name: "\(subject.pictures)-\(number)-\(index)", type: "image",
                    caption: subject.captions[random.below(subject.captions.count)] as String?
                )
            }
            let likes = random.below(12) == 0 ? random.below(2_000) : random.below(60)
            return Post(author: author, content: content, attachments: attachments, likeCount: likes)
        }
    }

    private init(awkward count: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        names = Self.names
        posts = (0..<count).map { number in
            let kinds = random.below(4) == 0 ? (0...random.below(4)).map { $0 == 3 ? "video" : "image" } : []
            return Post(
                author: random.below(Self.names.count), content: Self.makeContent(number, &random),
                attachments: kinds.enumerated().map { index, type in
                    ("\(number)-\(index)", type, index == 0 ? "Caption of \(number)-\(index)" : nil)
                }, likeCount: random.below(10) == 0 ? random.below(1_000_000) : random.below(50))
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

    /// Writes the posts with ids that end at the current time.
    func write(to database: BackendDatabase) throws {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        try database.queue.write { db in
            let authors = names.indices.map { _ in database.makeID() }
            for (id, name) in zip(authors, names) {
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
                    RichText(html: post.content).summary(),
                    now - Int64(number) * 97_000, post.likeCount,
                ])
                for (name, type, caption) in post.attachments {
                    try attach.execute(arguments: [
                        database.makeID(), id, type, type == "image" ? "/cdn/images/\(name)" : "/cdn/videos/\(name)",
                        "/cdn/images/\(name)", caption,
                    ])
                }
            }
        }
    }
}
