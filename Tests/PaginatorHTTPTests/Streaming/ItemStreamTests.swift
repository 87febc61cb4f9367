import Foundation
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Bodies of items, cut while they come.
struct ItemStreamTests {
    private static let bodies: [(HTTPBodyFormat, path: String, body: String, items: [String])] = [
        (.jsonLines, "", "{\"a\":1}\n{\"a\":2}\r\n\n \t\n{\"a\":3}", ["{\"a\":1}", "{\"a\":2}\r", "{\"a\":3}"]),
        (.jsonLines, "", "\u{FEFF}1\n\n2\n", ["1", "2"]),
        (.serverSentEvents, "", "data: {\"a\":1}\n\nevent: page\ndata: {}\n\ndata: 2\n\ndata: 3", ["{\"a\":1}", "2"]),
        (
            .streamedJSON, "", "[{\"a\":[1,2]} , {\"b\":\"]},\"},3,\"x, y\",[4],true]",
            [
                "{\"a\":[1,2]}", "{\"b\":\"]},\"}", "3", "\"x, y\"", "[4]", "true",
            ]
        ),
        (
            .streamedJSON, "data.items",
            "{\"items\":[9],\"data\":{\"n\":[8],\"items\":[ {\"a\":\"\\\"\"}, 2 ],\"m\":[7]}}",
            [
                "{\"a\":\"\\\"\"}", "2",
            ]
        ),
        (.streamedJSON, "items", "{\"items\":[]}", []),
    ]

    @Test func `finds the items in pieces of any size`() throws {
        for (format, path, body, items) in Self.bodies {
            let bytes = Array(body.utf8)
            for size in 1...bytes.count {
                var stream = ItemStream(format, items: JSONPath(path), limits: HTTPLimits(), status: 200)
                var found: [[UInt8]] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    found += try stream.take(bytes[start..<min(bytes.count, start + size)])
                }
                found += stream.end()
                #expect(found.map { String(decoding: $0, as: UTF8.self) } == items, "\(body) in pieces of \(size)")
            }
        }
    }

    @Test func `an item is there as soon as it has ended`() throws {
        var list = ItemStream(.streamedJSON, items: .root, limits: HTTPLimits(), status: 200)
        #expect(try list.take("[{\"a\":1}".utf8).count == 1)
        var lines = ItemStream(.jsonLines, items: .root, limits: HTTPLimits(), status: 200)
        #expect(try lines.take("1".utf8).isEmpty)
        #expect(try lines.take("\n".utf8).count == 1)
    }
}
