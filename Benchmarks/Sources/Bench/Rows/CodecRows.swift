import Foundation
import PaginatorCore
import PaginatorStorage

// Thirty stories as bytes and back.
extension Group {
    static let codec = Group(name: "codec") { session in
        let stories = Story.page(7)
        let compact = CompactPageCodec<Story>()
        let binary = BinaryPageCodec<Story>()
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        let times = session.scaled(100)
        func contender(_ name: String, _ body: @escaping () throws -> Void) -> Contender {
            Contender(name) { watch in try watch.time { for _ in 0..<times { try body() } } }
        }
        let data = try encoder.encode(stories)
        let compactBytes = try compact.encode(stories)
        let binaryBytes = try binary.encode(stories)
        let texts = StoryTexts(of: stories, in: binaryBytes)
        guard try compact.decode(compactBytes) == stories, try binary.decode(binaryBytes) == stories else {
            throw Command.Failure(description: "a codec gave other stories back")
        }
        let writes = try session.run(
            Contest(
                row: "30 stories to bytes", operations: times, rounds: 21,
                contenders: [
                    contender("JSONEncoder") { blackHole(try encoder.encode(stories)) },
                    contender("compact, any Codable") { blackHole(try compact.encode(stories)) },
                    contender("hand-written") { blackHole(try binary.encode(stories)) },
                    contender("Codable's calls alone, nothing written") { try CodableFloor.encode(stories) },
                    contender("the compact bytes copied") {
                        blackHole(compactBytes.withUnsafeBytes { [UInt8]($0) })
                    },
                ]))
        let reads = try session.run(
            Contest(
                row: "30 stories from bytes", operations: times, rounds: 21,
                contenders: [
                    contender("JSONDecoder") { blackHole(try decoder.decode([Story].self, from: data)) },
                    contender("compact, any Codable") { blackHole(try compact.decode(compactBytes)) },
                    contender("hand-written") { blackHole(try binary.decode(binaryBytes)) },
                    contender("Codable's calls alone, each value at hand") {
                        blackHole(try CodableFloor.decode([Story].self, count: stories.count))
                    },
                    contender("the stories' texts made from bytes, nothing else") {
                        binaryBytes.withUnsafeBufferPointer { blackHole(texts.make(from: $0)) }
                    },
                ]))
        session.record("size of 30 stories", "JSON", Double(data.count), unit: "bytes")
        session.record("size of 30 stories", "compact", Double(compactBytes.count), unit: "bytes")
        session.record("size of 30 stories", "hand-written", Double(binaryBytes.count), unit: "bytes")
        session.ratio(
            "codec-encode-json-to-compact", of: writes[0], to: writes[1], .atLeast(3),
            floor: Floor("Codable's calls alone, nothing written", of: writes[0], to: writes[3]))
        session.ratio(
            "codec-decode-json-to-compact", of: reads[0], to: reads[1], .atLeast(3),
            floor: Floor("Codable's calls alone, each value at hand", of: reads[0], to: reads[3]))
    }
}
