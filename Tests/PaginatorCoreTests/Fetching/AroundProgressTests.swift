import Testing

@testable import PaginatorCore

@Suite struct AroundProgressTests {
    private final class Object: Sendable {}

    /// Feeds a progress and reads its commands as texts.
    private struct Script {
        var progress: AroundProgress

        init(depth: Int, direction: PageFetchDirection = .all) {
            progress = AroundProgress(
                AroundRequest(
                    page: PageRequest(key: "0", pageSize: 10), depthLevel: depth, direction: direction))
        }

        private func texts(_ commands: [AroundProgress.Command]) -> [String] {
            commands.map { command in
                switch command {
                case .load(let distance, let key): "load \(key) at \(distance)"
                case .reportRefused(let error): "refused \(error.code)"
                case .abandon(let distance): "abandon \(distance)"
                case .deliver(_, let distance): "deliver \(distance)"
                case .fail(let error, let distance): "fail \(error.code) at \(distance)"
                case .reportRepeated(let key, let distance): "repeated \(key) at \(distance)"
                case .end(.success(let summary)): "end \(summary.delivered)"
                case .end(.failure(let error)): "end \(error.code)"
                }
            }
        }

        mutating func came(_ distance: Int, previous: String? = nil, next: String? = nil) -> [String] {
            let page = LoadedPage(
                object: Object(), facts: PageFacts(bytes: 0, items: 0, keyHash: 0),
                neighbors: NeighborKeys(previous: previous, next: next), origin: .source, fetchedAt: .zero)
            return texts(progress.settled(distance, .success(page)))
        }

        mutating func failed(_ distance: Int) -> [String] {
            texts(progress.settled(distance, .failure(PaginatorError(.sourceFailed, "it failed"))))
        }

        mutating func computed(_ forward: [String], _ backward: [String] = []) -> [String] {
            texts(progress.computed(forward: forward, backward: backward))
        }
    }

    @Test func `linked neighbors load as their keys come`() {
        var script = Script(depth: 2)
        #expect(script.came(0, previous: "-1", next: "1") == ["deliver 0", "load 1 at 1", "load -1 at -1"])
        #expect(script.came(-1, previous: "-2") == ["load -2 at -2"], "held until +1 is out")
        #expect(script.came(1, next: "2") == ["load 2 at 2", "deliver 1", "deliver -1"])
        #expect(script.came(2, next: "3") == ["deliver 2"])
        #expect(script.came(-2) == ["deliver -2", "end [0, 1, -1, 2, -2]"])
    }

    @Test func `computed keys load at once`() {
        var script = Script(depth: 2)
        #expect(script.computed(["1", "2", "3"], ["-1"]) == ["load 1 at 1", "load 2 at 2", "load -1 at -1"])
        #expect(script.came(2) == [])
        #expect(script.came(-1) == [])
        #expect(script.came(0, previous: "-1", next: "1") == ["deliver 0"])
        #expect(script.came(1, next: "2") == ["deliver 1", "deliver -1", "deliver 2", "end [0, 1, -1, 2]"])
    }

    @Test func `a computed key that the page contradicts is abandoned with all beyond it`() {
        var script = Script(depth: 3, direction: .forward)
        _ = script.computed(["1", "2", "3"])
        #expect(script.came(1, next: "2") == [])
        #expect(
            script.came(0, next: "9") == ["deliver 0", "abandon 3", "abandon 2", "load 9 at 1"])
        #expect(script.came(2) == [], "abandoned")
        #expect(script.came(1, next: "1") == ["load 1 at 2", "deliver 1"], "the abandoned key is new again")
    }

    @Test func `a page without a link ends its direction whatever was computed`() {
        var script = Script(depth: 2, direction: .forward)
        _ = script.computed(["1", "2"])
        #expect(script.came(0) == ["deliver 0", "abandon 2", "abandon 1", "end [0]"])
    }

    @Test func `keys that are computed too late are ignored`() {
        var script = Script(depth: 2, direction: .forward)
        _ = script.came(0, next: "1")
        #expect(script.computed(["7"]) == [])
    }

    @Test func `a direction that is not wanted loads nothing`() {
        var script = Script(depth: 2, direction: .backward)
        #expect(script.computed(["1"], ["-1"]) == ["load -1 at -1"])
        #expect(script.came(0, previous: "-1", next: "1") == ["deliver 0"])
        #expect(script.came(-1) == ["deliver -1", "end [0, -1]"])
    }

    @Test func `a failure is told in its turn and ends its side`() {
        var script = Script(depth: 2)
        _ = script.computed(["1", "2"], ["-1", "-2"])
        #expect(script.failed(1) == ["abandon 2"])
        #expect(script.came(-1, previous: "-2") == [])
        #expect(script.came(0, previous: "-1", next: "1") == ["deliver 0", "fail sourceFailed at 1", "deliver -1"])
        #expect(script.came(-2) == ["deliver -2", "end [0, -1, -2]"])
    }

    @Test func `the asked pages failure abandons everything`() {
        var script = Script(depth: 1)
        _ = script.computed(["1"], ["-1"])
        #expect(script.failed(0) == ["abandon 1", "abandon -1", "end sourceFailed"])
        #expect(script.came(1) == [])
        #expect(script.computed(["1"]) == [])
    }

    @Test func `a repeated key is reported once and ends its side`() {
        var script = Script(depth: 3)
        #expect(script.came(0, previous: "1", next: "1") == ["deliver 0", "load 1 at 1", "repeated 1 at 0"])
        #expect(script.came(1, next: "0") == ["repeated 0 at 1", "deliver 1", "end [0, 1]"])
    }

    @Test func `an outcome that is not awaited changes nothing`() {
        var script = Script(depth: 2)
        #expect(script.came(1) == [])
        _ = script.came(0, next: "1")
        _ = script.came(1, next: "2")
        #expect(script.came(1) == [], "twice")
        #expect(script.came(7) == [])
        #expect(script.failed(-1) == [])
    }

    @Test func `the asked page alone`() {
        var script = Script(depth: 0)
        #expect(script.computed(["1"], ["-1"]) == [])
        #expect(script.came(0, previous: "-1", next: "1") == ["deliver 0", "end [0]"])
    }

    /// Whatever the order of the outcomes, the order of delivery is the same.
    @Test func `the order of delivery depends on no timing`() {
        for seed in UInt64(0)..<500 {
            var random = SplitMix64(seed: seed)
            var script = Script(depth: 4)
            _ = script.computed((1...4).map { "\($0)" }, (1...4).map { "\(-$0)" })
            var delivered: [String] = []
            for distance in (-4...4).shuffled(using: &random) {
                delivered += script.came(distance, previous: "\(distance - 1)", next: "\(distance + 1)")
            }
            #expect(
                delivered == [0, 1, -1, 2, -2, 3, -3, 4, -4].map { "deliver \($0)" } + [
                    "end [0, 1, -1, 2, -2, 3, -3, 4, -4]"
                ],
                "seed \(seed)")
        }
    }
}
