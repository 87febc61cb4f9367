import RichText
import Testing

@Suite struct ReadingTests {
    @Test func `styles nest and neighbors of one style are one run`() {
        let text = RichText(html: "<p>a <b>b <i>c</i></b><strong> d</strong> <u>e</u><s>f</s><code>g</code></p>")
        #expect(
            text.blocks == [
                .init(
                    .paragraph,
                    [
                        .init("a "), .init("b ", .bold), .init("c", [.bold, .italic]), .init(" d", .bold), .init(" "),
                        .init("e", .underlined), .init("f", .struckOut), .init("g", .code),
                    ])
            ])
    }

    @Test func `blocks come from what begins them`() {
        let html = """
            <h2>Title</h2> text <div>div<p>p</p>tail</div>
            <ul><li>one</li><li>two<ol><li>x</li><li>y</li></ol></li></ul>
            <ol start="7"><li>seven<li>eight</ol><blockquote><p>quoted</p></blockquote>
            <table><tr><td>a</td><td>b</td></tr></table>
            """
        let text = RichText(html: html)
        #expect(
            text.blocks.map(\.kind) == [
                .heading(2), .paragraph, .paragraph, .paragraph, .paragraph, .item, .item, .numberedItem(1),
                .numberedItem(2), .numberedItem(7), .numberedItem(8), .quote, .paragraph,
            ])
        #expect(
            text.blocks.map(\.text) == [
                "Title", "text", "div", "p", "tail", "one", "two", "x", "y", "seven", "eight", "quoted", "a b",
            ])
    }

    @Test func `white space is one space unless it is preformatted`() {
        #expect(RichText(html: " a \n\t b <b> c </b> d ").plainText == "a b c d")
        #expect(RichText(html: "a <br> b<br><br>c<br>").plainText == "a\nb\n\nc")
        #expect(RichText(html: "<pre>\n  a\n\tb  \n</pre>").blocks == [.init(.preformatted, [.init("  a\n\tb  ")])])
        #expect(RichText(html: "<p> </p><p>&nbsp;</p>").plainText == "\u{a0}")
    }

    @Test func `entities are characters`() {
        #expect(RichText(html: "&lt;b&gt; &amp; &eacute;&#128512;&quot;").plainText == "<b> & é😀\"")
    }

    @Test func `links and mentions are kept`() throws {
        let html = """
            <a href=" HTTPS://ok.example/a b?q='1'&amp;r=ü ">x</a> <a href="mailto:a@b.example">y</a>
            <a data-mention="u-7">@Ann</a>
            """
        let runs = try #require(RichText(html: html).blocks.first).runs
        let link = try #require(SafeLink("HTTPS://ok.example/ab?q=%271%27&r=%C3%BC"))
        #expect(runs.first == .init("x", link: .address(link)))
        #expect(runs.last == .init("@Ann", link: .mention(try #require(SafeMention("u-7")))))
        #expect(RichText(html: html).mentions == ["u-7"])
    }

    @Test func `html reads the same again`() {
        let html = """
            <h1>T</h1><p>a <strong><em>b</em></strong><br>c &lt;d&gt; <a href="https://ok.example/?a=1&amp;b=2">e</a></p>\
            <ul><li>f</li></ul><ol><li>g</li><li>h</li></ol><ol><li>i</li></ol><ol start="4"><li>j</li></ol>\
            <blockquote>k</blockquote><pre>l  m<br>n</pre>
            """
        let text = RichText(html: html)
        #expect(text.html == html)
        #expect(RichText(html: text.html) == text)
    }

    @Test func `nothing is nothing`() {
        for html in ["", " ", "\n", "<p></p>", "<script></script>", "<!-- -->"] {
            #expect(RichText(html: html).isEmpty, "\(html)")
            #expect(RichText(html: html).html.isEmpty)
        }
    }
}

@Suite struct PlainTextTests {
    private let text = RichText(
        html: """
            <h1>Big news</h1><p>The quick <b>brown</b> fox jumps over the lazy dog, \
            <a href="https://ok.example/">see here</a>.</p><ul><li>first thing of all</li></ul>\
            <ol><li>one</li></ol><blockquote>said somebody wise</blockquote><pre>let x = 1</pre>
            """)

    @Test func `a frame shows words wrapped and marks hanging`() {
        #expect(
            text.lines(width: 20) == [
                "BIG NEWS", "The quick brown fox", "jumps over the lazy", "dog, see here", "(https://ok.example/",
                ").", "• first thing of all", "1. one", "> said somebody wise", "let x = 1",
            ])
        #expect(text.lines(width: 12).suffix(3) == ["> somebody", "> wise", "let x = 1"])
        #expect(text.lines(width: 8).allSatisfy { $0.count <= 8 })
    }

    @Test func `plain text keeps the marks`() {
        #expect(RichText(html: "<h1>a</h1><ul><li>b</ul><ol><li>c</ol>").plainText == "a\n• b\n1. c")
    }

    @Test func `a summary is one line of the length asked for`() {
        #expect(text.summary(limit: 20) == "Big news The quick …")
        #expect(RichText(html: "<p>a<br>b<p>c").summary() == "a b c")
        #expect(RichText(html: "<p>abc").summary(limit: 3) == "abc")
        #expect(RichText(html: "<p>abc").summary(limit: 0) == "…")
        #expect(RichText().summary().isEmpty)
    }
}
