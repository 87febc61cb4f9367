import PaginatorTesting
import RichText
import Testing

/// Whatever comes in, only harmless text goes out.
@Suite struct SanitizingTests {
    @Test(arguments: AttackCorpus.all)
    func `an attack is harmless`(_ html: String) {
        let text = RichText(html: html)
        expectHarmless(text, html)
        for word in ["alert(1)", "msgbox", "onerror", "evil.example"] where !html.contains("&lt;script") {
            // Markup that no browser takes for an element is text.
            guard !AttackCorpus.encodings.contains(html), !AttackCorpus.broken.contains(html), !html.contains("<<"),
                !html.contains("scr<"), !html.contains("\u{0}")
            else { continue }
            #expect(!text.plainText.contains(word), "\(html)")
        }
    }

    @Test(arguments: AttackCorpus.addresses)
    func `an address that may not be opened is text`(_ html: String) {
        #expect(RichText(html: html).blocks == [.init(.paragraph, [.init("hello")])], "\(html)")
    }

    @Test func `the content of what is taken away stays where it is for reading`() {
        for html in AttackCorpus.handlers + AttackCorpus.embedded {
            #expect(RichText(html: html).plainText.contains("hello"), "\(html)")
        }
    }

    @Test func `entities of the document are not expanded`() {
        for html in AttackCorpus.embedded.suffix(2) {
            let text = RichText(html: html).plainText
            #expect(text.contains("hello"))
            #expect(!text.contains("haha") && !text.contains("root:"))
            #expect(text.count < 400)
        }
    }

    @Test func `deep nesting neither crashes nor loses what came before`() {
        for tag in ["b", "div", "ul><li", "a href=https://ok.example/", "table><tr><td", "blockquote"] {
            let html = "<p>before</p>" + String(repeating: "<\(tag)>", count: 50_000) + "deep"
            let text = RichText(html: html)
            #expect(text.blocks.first == .init(.paragraph, [.init("before")]))
            expectHarmless(text, tag)
        }
    }

    @Test func `within the limit of depth styles count`() {
        var limits = RichTextLimits()
        limits.depth = 4
        let html = "<div><div><b>bold</b></div></div>"
        #expect(RichText(html: html).blocks.first?.runs.first?.style == .bold)
        limits.depth = 3
        #expect(RichText(html: html, limits: limits).blocks.first?.runs.first == .init("bold"))
    }

    @Test func `limits cut and nothing else`() {
        var limits = RichTextLimits()
        limits.characters = 5
        #expect(RichText(html: "<p>abc</p><p>defg</p>", limits: limits).plainText == "abc\nde")
        limits = RichTextLimits()
        limits.blocks = 2
        #expect(RichText(html: "<p>a<p>b<p>c", limits: limits).plainText == "a\nb")
        limits = RichTextLimits()
        limits.bytes = 6
        #expect(RichText(html: "<p>a\u{1F600}", limits: limits).blocks.count == 1)
        limits.bytes = 0
        #expect(RichText(html: "<p>a", limits: limits).isEmpty)
    }

    @Test func `what is long is read in one go`() {
        let html = String(repeating: "<p>some <b>words</b> &amp; more</p>\n", count: 5_000)
        let text = RichText(html: html)
        #expect(text.blocks.count == 2_000)
        #expect(text.blocks.allSatisfy { $0.text == "some words & more" })
    }

    @Test func `spaces before a line break are taken out, in a long block too`() {
        let text = RichText(html: String(repeating: "some <b>words</b>  <br>", count: 8_000))
        #expect(text.plainText == Array(repeating: "some words", count: 8_000).joined(separator: "\n"))
    }

    @Test func `control characters and reordering ones are taken out`() {
        #expect(RichText(html: "a\u{1b}[2J\u{9b}b\u{202e}c\u{2066}d\u{7f}").plainText == "a[2Jbcd")
    }

    @Test func `any mixture of attacks is harmless and reads the same again`() {
        for seed in UInt64(0)..<1_500 {
            var random = SeededRandom(seed: seed)
            var pieces: [String] = []
            for _ in 0..<random.number(in: 1..<5) {
                var scalars = Array(AttackCorpus.all[random.number(in: 0..<AttackCorpus.all.count)].unicodeScalars)
                for _ in 0..<random.number(in: 0..<6) where !scalars.isEmpty {
                    let place = random.number(in: 0..<scalars.count)
                    switch random.number(in: 0..<4) {
                    case 0: scalars.remove(at: place)
                    case 1: scalars.insert(contentsOf: "<>&\"'= /!-".unicodeScalars.shuffled(using: &random), at: place)
                    case 2: scalars.swapAt(place, random.number(in: 0..<scalars.count))
                    default: scalars = Array(scalars[place...]) + scalars[..<place]
                    }
                }
                pieces.append(String(String.UnicodeScalarView(scalars)))
            }
            let html = pieces.joined(separator: random.chance(0.5) ? "" : "</b><p>")
            let text = RichText(html: html)
            expectHarmless(text, "seed \(seed)")
            #expect(RichText(html: text.html) == text, "seed \(seed): \(html)")
        }
    }

    /// Looks at what goes out, not at how it was made.
    private func expectHarmless(_ text: RichText, _ label: String) {
        let allowed =
            #/<(?:/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|strong|em|u|s|code|a)|br|ol start="[0-9]{1,7}"|a data-mention="[A-Za-z0-9_-]{1,64}"|a href="(?:(?i)https?://|mailto:)[!#-;=?-\[\]_a-z|{}~^]+")>/#
        // By scalars, as browsers read: a combining mark behind a tag is no part of it.
        let rest = text.html.replacing(allowed.matchingSemantics(.unicodeScalar), with: "").unicodeScalars
        #expect(!rest.contains("<") && !rest.contains(">"), "\(label): \(String(rest))")
        for block in text.blocks {
            #expect(!block.runs.isEmpty && block.runs.allSatisfy { !$0.text.isEmpty }, "\(label)")
        }
        for scalar in text.plainText.unicodeScalars {
            let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
            #expect(!isControl && scalar.value != 0x1b && scalar != "\u{202e}", "\(label)")
        }
    }
}
