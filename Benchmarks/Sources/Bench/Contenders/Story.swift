import PaginatorCore

/// An item as a news feed has them: some numbers, some texts, an author, media and tags.
struct Story: Codable, Sendable, Hashable {
    struct Author: Codable, Sendable, Hashable {
        var id: Int
        var name: String
        var handle: String
        var isVerified: Bool
    }

    struct Medium: Codable, Sendable, Hashable {
        var url: String
        var width: Int
        var height: Int
        var caption: String?
    }

    var id: Int
    var title: String
    var text: String
    var published: Double
    var likes: Int
    var comments: Int
    var isPinned: Bool
    var author: Author
    var media: [Medium]
    var tags: [String]

    /// The story of a number; the same number makes the same story.
    init(_ id: Int) {
        self.id = id
        title = "Story \(id): what happened in the harbor on day \(id % 365)"
        text = String(repeating: "A sentence of the story \(id), about as long as people write. ", count: 2 + id % 4)
        published = 786_000_000 + Double(id) * 61.5
        likes = id * 7_919 % 100_000
        comments = id * 104_729 % 1_000
        isPinned = id % 50 == 0
        author = Author(
            id: id % 97, name: "Author number \(id % 97)", handle: "@author\(id % 97)", isVerified: id % 97 % 3 == 0)
        media = (0..<id % 3).map {
            Medium(
                url: "https://images.example.org/\(id)/\($0).jpg", width: 1_200, height: 800,
                caption: $0 == 0 ? "A picture of it" : nil)
        }
        tags = ["news", "harbor", "day\(id % 7)"].prefix(1 + id % 3).map { $0 }
    }

    init(
        id: Int, title: String, text: String, published: Double, likes: Int, comments: Int, isPinned: Bool,
        author: Author, media: [Medium], tags: [String]
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.published = published
        self.likes = likes
        self.comments = comments
        self.isPinned = isPinned
        self.author = author
        self.media = media
        self.tags = tags
    }

    /// The stories of a page of 30.
    static func page(_ number: Int) -> [Story] { (0..<30).map { Story(number * 30 + $0) } }

    /// Every text of the story.
    var texts: [String] {
        [title, text, author.name, author.handle] + media.flatMap { [$0.url] + ($0.caption.map { [$0] } ?? []) } + tags
    }
}

extension Story: BinaryPageItem {
    func write(to writer: inout PageByteWriter) {
        writer.write(id)
        writer.write(title)
        writer.write(text)
        writer.write(published)
        writer.write(likes)
        writer.write(comments)
        writer.write(isPinned)
        writer.write(author.id)
        writer.write(author.name)
        writer.write(author.handle)
        writer.write(author.isVerified)
        writer.write(all: media) { writer, medium in
            writer.write(medium.url)
            writer.write(medium.width)
            writer.write(medium.height)
            writer.write(optional: medium.caption) { $0.write($1) }
        }
        writer.write(all: tags) { $0.write($1) }
    }

    init(from reader: inout PageByteReader) throws {
        let id = try reader.readInt()
        let title = try reader.readString()
        let text = try reader.readString()
        let published = try reader.readDouble()
        let likes = try reader.readInt()
        let comments = try reader.readInt()
        let isPinned = try reader.readBool()
        let author = Author(
            id: try reader.readInt(), name: try reader.readString(), handle: try reader.readString(),
            isVerified: try reader.readBool())
        let media = try reader.readAll { reader in
            Medium(
                url: try reader.readString(), width: try reader.readInt(), height: try reader.readInt(),
                caption: try reader.readOptional { try $0.readString() })
        }
        let tags = try reader.readAll { try $0.readString() }
        self.init(
            id: id, title: title, text: text, published: published, likes: likes, comments: comments,
            isPinned: isPinned, author: author, media: media, tags: tags)
    }
}

/// Where the texts of a page lie in its bytes: to make them is what no way to decode stories can leave out.
struct StoryTexts {
    private let places: [Range<Int>]

    /// Looks for the texts of `stories` in their bytes by the hand-written codec, which has them in this order.
    init(of stories: [Story], in bytes: [UInt8]) {
        var start = 0
        places = stories.flatMap(\.texts).map { text in
            while !bytes[start...].starts(with: text.utf8) { start += 1 }
            defer { start += text.utf8.count }
            return start..<start + text.utf8.count
        }
    }

    /// Makes the texts, one after the other, and nothing else.
    func make(from bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(places.count)
        for place in places {
            texts.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[place]), as: UTF8.self))
        }
        return texts
    }
}
