import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct LinkHeaderTests {
    @Test(
        arguments: [
            (
                #"<https://a/b?page=2>; rel="next", <https://a/b?page=9>; rel="last""#,
                ["https://a/b?page=2": ["next"], "https://a/b?page=9": ["last"]]
            ),
            (#"</rel?x=1,2;3>; rel=next"#, ["/rel?x=1,2;3": ["next"]]),
            (#"<a>; rel="prev  NEXT http://ext/rel""#, ["a": ["prev", "next", "http://ext/rel"]]),
            (#"<a>; title="one, \"two\"; <x>; rel=prev"; rel="next""#, ["a": ["next"]]),
            (#"<a>;rel=next;rel=prev"#, ["a": ["next"]]),
            (#"<a>  ;  REL = "next"  ,,, <b> ; rel=prev"#, ["a": ["next"], "b": ["prev"]]),
            (#"<a>; crossorigin; rel=next"#, ["a": ["next"]]),
            (#"nonsense; rel=next, <b>; rel=prev"#, ["b": ["prev"]]),
            (#"<>; rel=next"#, ["": ["next"]]),
            (#"<never closed; rel=next"#, [:]),
            (#"<a>; rel="never closed, <b>; rel=prev"#, ["a": ["never", "closed,", "<b>;", "rel=prev"]]),
            ("", [:]), (",,;;", [:]), ("<a>", ["a": []]),
        ] as [(String, [String: [String]])])
    func `reads links`(_ text: String, _ expected: [String: [String]]) {
        let links = LinkHeader.parse(text)
        #expect(Dictionary(links.map { ($0.target, $0.relations) }) { first, _ in first } == expected)
    }

    @Test func `keeps other parameters`() {
        let links = LinkHeader.parse(#"<a>; rel=next; Results="true"; anchor="/x"; title*=UTF-8''n%c3%a4chste"#)
        #expect(links.first?.parameters == ["results": "true", "title*": "UTF-8''n%c3%a4chste"])
        #expect(links.first?.anchor == "/x")
    }

    @Test(arguments: 0..<40)
    func `finishes on anything`(_ round: Int) {
        var random = SeededRandom(seed: UInt64(round))
        let alphabet = Array("<>;,=\"\\ \trelnxt*'ä\u{0}")
        for _ in 0..<200 {
            let text = String(
                (0..<random.number(in: 0..<40)).map { _ in alphabet[random.number(in: 0..<alphabet.count)] })
            let links = LinkHeader.parse(text)
            #expect(links.count <= text.count { $0 == "<" }, "seed \(round): \(text)")
        }
    }

    /// What is written by the rules is read back, whatever the texts are.
    @Test(arguments: 0..<20)
    func `reads back what is written`(_ round: Int) {
        var random = SeededRandom(seed: UInt64(round))
        let alphabet = Array("ab/?&=;,\"\\ é")
        func text(_ banned: String) -> String {
            String((0..<random.number(in: 1..<12)).map { _ in alphabet[random.number(in: 0..<alphabet.count)] })
                .filter { !banned.contains($0) } + "x"
        }
        for _ in 0..<100 {
            let links = (0..<random.number(in: 1..<4)).map { _ in
                WebLink(target: text(" >"), relations: ["next"], parameters: ["title": text("")])
            }
            let written = links.map { link in
                let title = link.parameters["title", default: ""]
                    .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return "<\(link.target)>; title=\"\(title)\"; rel=\"next\""
            }
            #expect(LinkHeader.parse(written.joined(separator: ", ")) == links, "seed \(round)")
        }
    }
}
