import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct CursorKeyTests {
    @Test(arguments: [
        CursorKey.first, .next("abc"), .next("first"), .next("next:x"), .next("prev:x"), .next("nextjson:[]"),
        .next(["id": ["S": "a\"b"], "n": 1]), .next(5), .next([1, "two", .null]), .previous("abc"), .previous("first"),
        .previous(["a": true]), .next("prevjson:"), .next("é\u{301}"),
    ])
    func `reads back what it writes`(_ key: CursorKey) {
        #expect(CursorKey(key.key) == key)
    }

    /// To Swift, an accent that follows `next:` makes another character of the colon; found by fuzzing.
    @Test(arguments: ["\u{301}abc", "next:\u{301}abc", "first\u{301}", "nextjson:\u{301}", "prev:\u{20dd}"])
    func `keeps an accent in front`(_ text: String) {
        if case .next(.string(let read))? = CursorKey(CursorKey.next(.string(text)).key) {
            #expect(Array(read.utf8) == Array(text.utf8))
        } else {
            Issue.record("the next cursor came back as something else")
        }
        if case .previous(.string(let read))? = CursorKey(CursorKey.previous(.string(text)).key) {
            #expect(Array(read.utf8) == Array(text.utf8))
        } else {
            Issue.record("the previous cursor came back as something else")
        }
    }

    @Test func `leaves plain cursors as they are`() {
        #expect(CursorKey.next("dXNlcjpVMEc5V0ZYTlo=").key == "dXNlcjpVMEc5V0ZYTlo=")
    }

    @Test func `two objects that differ in the order of their members alone are one cursor`() throws {
        let keys = try [#"{"id": {"b": 1, "a": 2}, "At": 3}"#, #"{"At": 3, "id": {"a": 2, "b": 1}}"#].map { text in
            let document = try JSONDocument(Array(text.utf8), maxDepth: 8)
            return CursorKey.next(try #require(document.value(at: .root))).key
        }
        #expect(keys[0] == #"nextjson:{"At":3,"id":{"a":2,"b":1}}"# && keys[0] == keys[1])
    }

    @Test(arguments: ["nextjson:", "nextjson:{", "prevjson:nope", "nextjson:[1]]"])
    func `refuses broken JSON`(_ key: String) {
        #expect(CursorKey(key) == nil)
    }

    @Test(arguments: 0..<20)
    func `never mixes up two cursors`(_ round: Int) {
        var random = SeededRandom(seed: UInt64(round))
        let pieces = ["first", "next:", "prev:", "json:", "nextjson:", "a", "{}", "\"", "1"]
        var seen: [String: CursorKey] = [:]
        for _ in 0..<300 {
            let text = (0..<random.number(in: 0..<4)).map { _ in pieces[random.number(in: 0..<pieces.count)] }.joined()
            let values: [JSONValue] = [
                .string(text), .array([.string(text)]), .object([(name: text, value: .number("1"))]),
            ]
            let value = values[random.number(in: 0..<3)]
            let key: CursorKey = random.chance(0.5) ? .next(value) : .previous(value)
            #expect(CursorKey(key.key) == key, "seed \(round)")
            if let other = seen[key.key] { #expect(other == key, "seed \(round)") }
            seen[key.key] = key
        }
    }
}
