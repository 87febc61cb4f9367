import Foundation

/// The posts that the server has: the same in every run.
struct PostCorpus: Sendable {
    let posts: [PostPreview]

    /// Makes posts, newest first, from a seed.
    init(count: Int = 1_000, seed: UInt64 = 2_024) {
        var random = SeededRandom(seed: seed)
        posts = (0..<count).map { Self.makePost(number: $0, random: &random) }
    }

    private static let newest = Date(timeIntervalSince1970: 1_750_000_000)

    private static let names = [
        "Ada Lovelace", "Søren Ødegård", "李小龍", "مريم الإسطرلابي", "Zoë 🌈", "D'Arcy \"Dot\" O’Neil", "ひらがな",
        "Nguyễn Thị Hồng", "cafe\u{301}", "caf\u{e9}",
    ]

    private static let phrases = [
        "Good morning ☀️", "naïve façade, coöperation", "日本語のテキストです。", "שלום עולם", "مرحبا بالعالم",
        "👩‍👩‍👧‍👦 at the 🏖️", "e\u{301} is not always é", "100 % of _nothing_", "C:\\path\\to \"file\"",
        "line one\nline two\ttabbed", "🇩🇪🇫🇷🇯🇵", "Ω≈ç√∫˜µ≤≥÷", "z̶a̶l̶g̶o̶", "<script>alert('hi')</script>",
        "a\u{200B}zero\u{200B}width", "plain words and nothing else",
    ]

    private static func makePost(number: Int, random: inout SeededRandom) -> PostPreview {
        let author = random.below(names.count)
        let attachments = random.below(4) == 0 ? 1 + random.below(9) : 0
        return PostPreview(
            postId: "post-\(number)",
            contentSummary: makeText(number: number, random: &random),
            author: Author(
                id: "user-\(author)",
                name: names[author],
                profileImageThumbnailUrl: "https://images.example/avatars/\(author).jpg"),
            createdAt: newest.addingTimeInterval(Double(-97 * number)),
            liked: random.below(3) == 0,
            likeCount: random.below(10) == 0 ? random.below(1_000_000) : random.below(50),
            attachmentCount: attachments,
            attachmentPreviewImageUrl: attachments == 0 ? nil : "https://images.example/previews/\(number).jpg")
    }

    /// One text in twelve is empty, one in twenty is several thousand characters long.
    private static func makeText(number: Int, random: inout SeededRandom) -> String {
        if number % 12 == 5 { return "" }
        let length = number % 20 == 7 ? 150 + random.below(150) : 1 + random.below(4)
        return (0..<length).map { _ in phrases[random.below(phrases.count)] }.joined(separator: " ")
    }
}

/// Numbers that look random and are the same in every run: SplitMix64 by Steele, Lea and Flood.
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns a number from 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
