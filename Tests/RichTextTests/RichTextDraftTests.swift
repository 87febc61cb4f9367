import PaginatorTesting
import RichText
import Testing

@Suite struct RichTextDraftTests {
    @Test func `what is written is HTML`() {
        var draft = RichTextDraft()
        draft.insert("Title\nHello world, see it", at: 0)
        draft.set(.heading(1), at: 0..<0)
        draft.set(.bold, on: 6..<11, to: true)
        draft.set(.italic, on: 9..<17, to: true)
        let isLinked = draft.link(23..<25, to: "https://ok.example/?a&b")
        #expect(isLinked)
        #expect(
            draft.html
                == "<h1>Title</h1><p><strong>Hel</strong><strong><em>lo</em></strong><em> world</em>, see "
                + "<a href=\"https://ok.example/?a&amp;b\">it</a></p>")
        #expect(RichText(html: draft.html) == draft.richText)
    }

    @Test func `text of the user is never markup`() {
        var draft = RichTextDraft()
        draft.insert("<script>alert('1')</script> & \"x\"\u{1b}[0m\u{202e}", at: 0)
        #expect(RichText(html: draft.html).plainText == "<script>alert('1')</script> & \"x\"[0m")
    }

    @Test func `a link that may not be opened is refused`() {
        var draft = RichTextDraft()
        draft.insert("here", at: 0)
        let before = draft
        let isLinked = draft.link(0..<4, to: "javascript:alert(1)")
        let isMentioned = draft.mention("a b", name: "A", in: 0..<4)
        #expect(!isLinked && !isMentioned)
        #expect(draft == before)
    }

    @Test func `a mention replaces what was typed`() {
        var draft = RichTextDraft()
        draft.insert("Hi @an!", at: 0)
        let isMentioned = draft.mention("u7", name: "Ann Lee", in: 3..<6)
        #expect(isMentioned)
        #expect(draft.html == "<p>Hi <a data-mention=\"u7\">@Ann Lee</a>!</p>")
        // What is typed behind it is not part of it.
        draft.insert(" oh", at: 11)
        #expect(draft.html == "<p>Hi <a data-mention=\"u7\">@Ann Lee</a> oh!</p>")
    }

    @Test func `typing goes on in the style before`() {
        var draft = RichTextDraft()
        draft.insert("ab", at: 0, style: .bold)
        draft.insert("c", at: 2)
        draft.insert("d", at: 0)
        #expect(draft.html == "<p>d<strong>abc</strong></p>")
    }

    @Test func `toggle takes away what the whole range has`() {
        var draft = RichTextDraft()
        draft.insert("abcd", at: 0)
        draft.toggle(.bold, on: 0..<2)
        draft.toggle(.bold, on: 0..<4)
        #expect(draft.has(.bold, in: 0..<4))
        draft.toggle(.bold, on: 1..<3)
        #expect(draft.html == "<p><strong>a</strong>bc<strong>d</strong></p>")
    }

    @Test func `lists are numbered and go on in a new line`() {
        var draft = RichTextDraft()
        draft.insert("a", at: 0)
        draft.set(.numberedItem(1), at: 0..<1)
        draft.insert("\nb", at: 1)
        #expect(draft.html == "<ol><li>a</li><li>b</li></ol>")
    }

    @Test func `a draft of HTMLIs the same text`() {
        let html = "<h2>T</h2><p>a <em>b</em></p><p>c</p><ul><li>d</li></ul>"
        let draft = RichTextDraft(RichText(html: html))
        #expect(draft.html == html)
        #expect(draft.text == "T\na b\nc\nd")
        #expect(draft.count == 9)
    }

    /// Against a plain array of characters, with ranges that are out of bounds too.
    @Test func `edits of the text are those of a string`() {
        for seed in UInt64(0)..<200 {
            var random = SeededRandom(seed: seed)
            var draft = RichTextDraft()
            var model: [Character] = []
            for _ in 0..<40 {
                let from = random.number(in: -2..<(model.count + 3))
                let to = from + random.number(in: 0..<6)
                switch random.number(in: 0..<5) {
                case 0, 1:
                    let text = ["a", "bc\nd", "\n", "😀e", ""][random.number(in: 0..<5)]
                    draft.insert(text, at: from)
                    model.insert(contentsOf: text, at: min(max(0, from), model.count))
                case 2:
                    draft.remove(from..<to)
                    let low = min(max(0, from), model.count)
                    model.removeSubrange(low..<min(max(low, to), model.count))
                case 3: draft.set(.bold, on: from..<to, to: random.chance(0.5))
                default: draft.set([.paragraph, .heading(1), .item][random.number(in: 0..<3)], at: from..<to)
                }
                #expect(draft.text == String(model), "seed \(seed)")
                #expect(draft.count == model.count, "seed \(seed)")
                #expect(RichText(html: draft.html) == draft.richText, "seed \(seed)")
            }
        }
    }
}
