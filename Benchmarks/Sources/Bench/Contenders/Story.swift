import PaginatorCore
import PaginatorStorage

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

/// Where the texts of a page lie in its bytes, and how large its arrays are: to make these is what no way to decode stories
/// can leave out.
struct StoryTexts {
    private let places: [Range<Int>]
    /// In words of eight bytes: the elements of each array of media and of tags. For the array of stories stands that of
    /// the texts.
    private let words: [Int]

    /// Looks for the texts of `stories` in their bytes by the hand-written codec, which has them in this order.
    init(of stories: [Story], in bytes: [UInt8]) {
        var start = 0
        places = stories.flatMap(\.texts).map { text in
            while !bytes[start...].starts(with: text.utf8) { start += 1 }
            defer { start += text.utf8.count }
            return start..<start + text.utf8.count
        }
        words =
            stories.flatMap {
                [$0.media.count * MemoryLayout<Story.Medium>.stride, $0.tags.count * MemoryLayout<String>.stride]
            }.filter { $0 > 0 }.map { $0 / 8 }
    }

    /// Makes the texts, one after the other, and nothing else.
    @inline(__always)
    func make(from bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(places.count)
        for place in places { texts.append(Self.text(place, of: bytes)) }
        return texts
    }

    /// Makes the texts, and as many empty arrays as the stories have, each with memory for as many elements.
    func makeWithArrays(from bytes: UnsafeBufferPointer<UInt8>) -> ([String], [[UInt64]]) {
        var arrays: [[UInt64]] = []
        arrays.reserveCapacity(words.count)
        for count in words {
            var array: [UInt64] = []
            array.reserveCapacity(count)
            arrays.append(array)
        }
        return (make(from: bytes), arrays)
    }

    /// The fastest way that was found: whether the bytes are UTF-8 is taken for granted, as no decoder may.
    @inline(__always)
    private static func text(_ place: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) -> String {
        let own = UnsafeBufferPointer(rebasing: bytes[place])
        if own.count > 15 {
            if #available(macOS 26, *) { return String(copying: UTF8Span(unchecked: own.span, isKnownASCII: true)) }
        } else if let start = UnsafeRawPointer(own.baseAddress), bytes.count - place.lowerBound >= 15 {
            // Texts of up to 15 bytes lie in the `String` itself.
            let first = start.loadUnaligned(as: UInt64.self)
            let last = start.loadUnaligned(fromByteOffset: 7, as: UInt64.self)
            return String(unsafeUninitializedCapacity: 15) {
                let target = UnsafeMutableRawBufferPointer($0)
                target.storeBytes(of: last, toByteOffset: 7, as: UInt64.self)
                target.storeBytes(of: first, as: UInt64.self)
                return own.count
            }
        }
        return String(decoding: own, as: UTF8.self)
    }
}
