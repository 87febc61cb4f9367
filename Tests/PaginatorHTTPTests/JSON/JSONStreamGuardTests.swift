import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct JSONStreamGuardTests {
    private func refusal(
        _ text: String, items: JSONPath = .root, depth: Int = 4, maxItems: Int = 3
    ) -> JSONStreamGuard.Refusal? {
        var watch = JSONStreamGuard(items: items, maxDepth: depth, maxItems: maxItems)
        return watch.take(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("[1,2,3]", nil), ("[1,2,3,4]", .tooManyItems), ("[1,2,3,", nil), ("[1,2,3,4", .tooManyItems),
            ("[[1,2],[3,4,5,6,7]]", nil), (#"["a,b,c,d,e"]"#, nil), (#"["a\",\"b\",\"c\",\"d"]"#, nil),
            ("[[[[1]]]]", nil), ("[[[[[", .tooDeep), (#"["[[[[[[["]"#, nil), ("<html>", .notJSON), ("  <", .notJSON),
            ("null", nil), ("no", .notJSON), ("\"text\"", .notJSON), ("Internal error", .notJSON), ("]", .notJSON),
            ("\u{feff}[1]", nil), ("é", .notJSON), ("[{},{},{},{}]", .tooManyItems),
            ("[null,true,1.5e3,\"\"]", .tooManyItems),
        ] as [(String, JSONStreamGuard.Refusal?)])
    func `watches the root`(_ text: String, _ expected: JSONStreamGuard.Refusal?) {
        #expect(refusal(text) == expected)
    }

    @Test(
        arguments: [
            (#"{"data":{"items":[1,2,3]}}"#, nil), (#"{"data":{"items":[1,2,3,4]}}"#, .tooManyItems),
            (#"{"items":[1,2,3,4]}"#, nil), (#"{"data":{"other":[1,2,3,4]}}"#, nil),
            (#"{"data":{"items2":[1,2,3,4]}}"#, nil),
            (#"{"data":{"x":{"items":[1,2,3,4]}}}"#, nil),
            (#"{"a":[1,2,3,4,5],"data":{"b":1,"items":[1,2,3,4]}}"#, .tooManyItems),
            (#"{"data":{"items":[[1,2,3,4,5]]}}"#, nil), (#"{"data":"items","items":[1,2,3,4]}"#, nil),
        ] as [(String, JSONStreamGuard.Refusal?)])
    func `watches a path`(_ text: String, _ expected: JSONStreamGuard.Refusal?) {
        #expect(refusal(text, items: "data.items[].node") == expected)
    }

    /// However the bytes are cut, the outcome is the same, and it agrees with the strict parser.
    @Test(arguments: 0..<30)
    func `does not depend on the pieces`(_ round: Int) throws {
        var random = SeededRandom(seed: UInt64(round))
        for _ in 0..<50 {
            let count = random.number(in: 0..<7)
            let items = (0..<count).map { _ in
                ["1", "\"a,[\\\"\"", "[1,[2]]", "{\"items\":[1,2,3,4,5]}", "null", "{}", "[]"][random.number(in: 0..<7)]
            }
            let text = "{\"meta\":[1,2,3,4,5,6], \"items\": [ \(items.joined(separator: " , ")) ], \"z\": 1}"
            var watch = JSONStreamGuard(items: "items", maxDepth: 8, maxItems: 3)
            var rest = Array(text.utf8)[...]
            var outcome: JSONStreamGuard.Refusal?
            while !rest.isEmpty, outcome == nil {
                let piece = rest.prefix(random.number(in: 1..<9))
                outcome = watch.take(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(outcome == (count > 3 ? .tooManyItems : nil), "seed \(round): \(text)")
            _ = try JSONDocument(Array(text.utf8), maxDepth: 8)
        }
    }
}
