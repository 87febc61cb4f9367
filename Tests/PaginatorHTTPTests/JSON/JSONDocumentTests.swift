import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct JSONDocumentTests {
    private func document(_ text: String, depth: Int = 64) throws -> JSONDocument {
        try JSONDocument(Array(text.utf8), maxDepth: depth)
    }

    @Test(
        arguments: [
            ("a.b", .number("1")), ("a", ["b": 1]), ("list.1", .string("two")), ("list.2", nil), ("list.x", nil),
            ("a.b.c", nil),
            ("@odata.nextLink", "odata"), ("x.y.z", "whole"), ("x.q", "part"), ("nothing", .null), ("", nil),
            ("é\"", true),
        ] as [(String, JSONValue?)])
    func `finds values`(_ path: String, _ expected: JSONValue?) throws {
        let text = #"""
            {"a": {"b": 1}, "list": ["one", "two"], "@odata.nextLink": "odata", "x": {"y": {"z": "inner"}, "q": "part"},
             "x.y.z": "whole", "nothing": null, "\u00e9\"": true}
            """#
        let body = try document(text)
        if path.isEmpty {
            #expect(body.value(at: .root) != nil)
        } else {
            #expect(body.value(at: JSONPath(path)) == expected)
        }
    }

    @Test(arguments: [
        (#""a\u0041\n\t\"\\\/\b\f\r""#, "aA\n\t\"\\/\u{8}\u{c}\r"), (#""\ud83d\ude00é😀""#, "😀é😀"),
        (#""\ud83d""#, "\u{fffd}"), (#""\ud83dx\ude00""#, "\u{fffd}x\u{fffd}"), (#""""#, ""),
        (#""nul\u0000""#, "nul\u{0}"),
    ])
    func `unescapes`(_ text: String, _ expected: String) throws {
        #expect(try document(text).value(at: .root) == .string(expected))
    }

    @Test(arguments: [
        "", " ", "{", "[1", "\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "tru", "[1,", "-", "1.", "1e", "\"\\u12",
    ])
    func `tells what ended early`(_ text: String) {
        #expect(throws: JSONParser.Failure.endedEarly) { try document(text) }
    }

    @Test(arguments: [
        "<html>", "{]", "[}", "[1 2]", "{1:2}", "{\"a\" 1}", "{\"a\":1,}", "[1,]", "[,1]", "01", "1 2", "+1", ".5",
        "nul ",
        "\"a\u{1}\"", "\"\\x\"", "'a'", "[1]]", "NaN", "{,}", "\"\\u12g4\"",
    ])
    func `refuses what is not JSON`(_ text: String) {
        do {
            _ = try document(text)
            Issue.record("\(text) was accepted")
        } catch JSONParser.Failure.unexpected {
            // As it should be.
        } catch {
            Issue.record("\(text): \(error)")
        }
    }

    @Test(arguments: ["0", "-0.0", "10.25", "1e5", "1E05", "1e+5", "-1.5E-3", "0e-0"])
    func `takes a number as it is written`(_ text: String) throws {
        #expect(try document("[\(text)]").value(at: "0") == .number(text))
    }

    @Test func `bounds the depth`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try document(nested(64))
        #expect(throws: JSONParser.Failure.tooDeep(limit: 64)) { try document(nested(65)) }
        #expect(throws: JSONParser.Failure.tooDeep(limit: 64)) { try document(nested(100_000)) }
    }

    @Test func `passes over a byte order mark`() throws {
        #expect(try document("\u{feff}[1]").value(at: "0") == 1)
    }

    /// Against the system's parser, on random texts that are JSON, and on the same ones with a few bytes changed.
    @Test(arguments: 0..<30)
    func `agrees with the system`(_ round: Int) throws {
        var random = SeededRandom(seed: UInt64(round))
        for _ in 0..<60 {
            let value = randomValue(&random, depth: 4)
            let text = value.text
            #expect(try document(text).value(at: .root) == value, "seed \(round): \(text)")
            var bytes = Array(text.utf8)
            for _ in 0..<random.number(in: 1..<3) where !bytes.isEmpty {
                bytes[random.number(in: 0..<bytes.count)] = Array("{}[]\",:0e.-tn\\ ".utf8)[random.number(in: 0..<15)]
            }
            let mine = Result { try JSONDocument(bytes, maxDepth: 64) }
            let theirs = Result { try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) }
            guard (try? mine.get()) != nil else { continue }
            // What this parser takes, the system's takes too, save for numbers beyond all doubles.
            if case .failure = theirs, !text.contains("e") {
                Issue.record("seed \(round): accepted \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    private func randomValue(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        let texts = ["", "a", "é😀", "\"\\\n\u{1}", "next.cursor", "e\u{301}"]
        switch random.number(in: 0..<(depth > 0 ? 7 : 5)) {
        case 0: return .null
        case 1: return .bool(random.chance(0.5))
        case 2: return .number(String(random.number(in: -1_000..<1_000)))
        case 3: return .number(["0.5", "1e3", "-0", "12345678901234567890"][random.number(in: 0..<4)])
        case 4: return .string(texts[random.number(in: 0..<texts.count)])
        case 5:
            return .array((0..<random.number(in: 0..<4)).map { _ in randomValue(&random, depth: depth - 1) })
        default:
            var members: [(name: String, value: JSONValue)] = []
            for _ in 0..<random.number(in: 0..<4) {
                let name = texts[random.number(in: 0..<5)]
                guard !members.contains(where: { $0.name == name }) else { continue }
                members.append((name, randomValue(&random, depth: depth - 1)))
            }
            return .object(members)
        }
    }
}
