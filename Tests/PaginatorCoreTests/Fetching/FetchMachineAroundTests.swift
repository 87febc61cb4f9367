import Testing

@testable import PaginatorCore

/// The order in which a fetch around page 0 asks for pages and delivers them.
@Suite struct FetchMachineAroundTests {
    /// Feeds a machine with what becomes of pages, by key, and reads what it does as short texts.
    private struct Script {
        let script = MachineScript()

        init(depth: Int, direction: PageFetchDirection = .all) {
            let request = AroundRequest(
                page: PageRequest(key: "0", pageSize: 10), depthLevel: depth, direction: direction)
            script.feed(.fetchAround(script.ticket(), request))
        }

        /// "deliver 1", "fail sourceFailed at 1", "end [0, 1]", then "load 2".
        private func texts(_ outcome: MachineScript.Outcome) -> [String] {
            outcome.ordered.filter { $0.hasPrefix("post #1") }.map { text in
                let words = text.split(separator: " ").dropFirst(2)
                switch words.first {
                case "page": return "deliver \(words.last ?? "")"
                case "end": return words.joined(separator: " ")
                default: return words.count == 1 ? "end \(words.joined())" : "fail \(words.joined(separator: " "))"
                }
            } + outcome.unordered.filter { $0.hasPrefix("look") }.map { $0.replacing("look", with: "load") }
        }

        func came(_ key: String, previous: String? = nil, next: String? = nil) -> [String] {
            let page = script.page(Int(key) ?? -1, origin: .memory, next: next, previous: previous)
            return texts(script.feed(.looked(script.looksByKey[key] ?? 0, .fresh(page))))
        }

        func failed(_ key: String) -> [String] {
            texts(script.feed(.looked(script.looksByKey[key] ?? 0, .rejected(reason: "bad", isStale: false))))
        }

        func computed(_ forward: [String], _ backward: [String] = []) -> [String] {
            texts(script.feed(.neighborKeys(1, forward: forward, backward: backward)))
        }

        var repeated: Int { script.events.count { $0 == .repeatedKey } }

        /// Nothing is left and nothing was wrong.
        var isOver: Bool { script.machine.isIdle && script.violations.isEmpty }
    }

    @Test func `linked neighbors load as their keys come`() {
        let script = Script(depth: 2)
        #expect(script.came("0", previous: "-1", next: "1") == ["deliver 0", "load 1", "load -1"])
        #expect(script.came("-1", previous: "-2") == ["load -2"], "held until +1 is out")
        #expect(script.came("1", next: "2") == ["deliver 1", "deliver -1", "load 2"])
        #expect(script.came("2", next: "3") == ["deliver 2"])
        #expect(script.came("-2") == ["deliver -2", "end [0, 1, -1, 2, -2]"])
        #expect(script.isOver)
    }

    @Test func `computed keys load at once`() {
        let script = Script(depth: 2)
        #expect(script.computed(["1", "2", "3"], ["-1"]) == ["load 1", "load 2", "load -1"])
        #expect(script.came("2") == [])
        #expect(script.came("-1") == [])
        #expect(script.came("0", previous: "-1", next: "1") == ["deliver 0"])
        #expect(script.came("1", next: "2") == ["deliver 1", "deliver -1", "deliver 2", "end [0, 1, -1, 2]"])
        #expect(script.isOver)
    }

    @Test func `a neighbor that arrives before the asked page is followed, even if a nearer one arrives last`() {
        let script = Script(depth: 3, direction: .forward)
        _ = script.computed(["1", "2"])
        #expect(script.came("2", next: "3") == [])
        #expect(script.came("0", next: "1") == ["deliver 0", "load 3"])
        #expect(script.came("1", next: "2") == ["deliver 1", "deliver 2"])
        #expect(script.came("3") == ["deliver 3", "end [0, 1, 2, 3]"])
        #expect(script.isOver)
    }

    @Test func `a computed key that the page contradicts is abandoned with all beyond it`() {
        let script = Script(depth: 3, direction: .forward)
        _ = script.computed(["1", "2", "3"])
        #expect(script.came("1", next: "2") == [])
        #expect(script.came("0", next: "9") == ["deliver 0", "load 9"])
        #expect(script.came("2") == [], "abandoned")
        #expect(script.came("9", next: "1") == ["deliver 1", "load 1"], "the abandoned key is new again")
        #expect(script.came("1") == ["deliver 2", "end [0, 1, 2]"])
        #expect(script.isOver)
    }

    @Test func `an outcome of a neighbor that is not wanted any more changes nothing`() {
        let script = Script(depth: 3, direction: .forward)
        _ = script.computed(["1", "2"])
        script.script.settle(around: 1, at: 3)
        #expect(script.came("0", next: "1") == ["deliver 0"])
        #expect(script.came("1", next: "2") == ["deliver 1"])
        #expect(script.came("2") == ["deliver 2", "end [0, 1, 2]"])
        #expect(script.isOver)
    }

    @Test func `what an abandoned page named is forgotten with it`() {
        let script = Script(depth: 3, direction: .forward)
        _ = script.computed(["1", "2"])
        _ = script.came("0", next: "1")
        #expect(script.came("2", next: "3") == ["load 3"])
        #expect(script.came("1", next: "8") == ["deliver 1", "load 8"])
        #expect(script.came("8") == ["deliver 2", "end [0, 1, 2]"])
        #expect(script.isOver)
    }

    @Test func `a page without a link ends its direction whatever was computed`() {
        let script = Script(depth: 2, direction: .forward)
        _ = script.computed(["1", "2"])
        #expect(script.came("0") == ["deliver 0", "end [0]"])
        #expect(script.isOver)
    }

    @Test func `keys that are computed too late are ignored`() {
        let script = Script(depth: 2, direction: .forward)
        _ = script.came("0", next: "1")
        #expect(script.computed(["7"]) == [])
    }

    @Test func `a direction that is not wanted loads nothing`() {
        let script = Script(depth: 2, direction: .backward)
        #expect(script.computed(["1"], ["-1"]) == ["load -1"])
        #expect(script.came("0", previous: "-1", next: "1") == ["deliver 0"])
        #expect(script.came("-1") == ["deliver -1", "end [0, -1]"])
        #expect(script.isOver)
    }

    @Test func `a failure is told in its turn and ends its side`() {
        let script = Script(depth: 2)
        _ = script.computed(["1", "2"], ["-1", "-2"])
        #expect(script.failed("1") == [])
        #expect(script.came("2") == [], "abandoned")
        #expect(script.came("-1", previous: "-2") == [])
        #expect(
            script.came("0", previous: "-1", next: "1")
                == ["deliver 0", "fail rejectedByValidation at 1", "deliver -1"])
        #expect(script.came("-2") == ["deliver -2", "end [0, -1, -2]"])
        #expect(script.isOver)
    }

    @Test func `the asked page's failure abandons everything`() {
        let script = Script(depth: 1)
        _ = script.computed(["1"], ["-1"])
        #expect(script.failed("0") == ["end rejectedByValidation"])
        #expect(script.came("1") == [])
        #expect(script.computed(["1"]) == [])
        #expect(script.isOver)
    }

    @Test func `a repeated key is reported once and ends its side`() {
        let script = Script(depth: 3)
        #expect(script.came("0", previous: "1", next: "1") == ["deliver 0", "load 1"])
        #expect(script.repeated == 1)
        #expect(script.came("1", next: "0") == ["deliver 1", "end [0, 1]"])
        #expect(script.repeated == 2)
        #expect(script.isOver)
    }

    @Test func `the asked page alone`() {
        let script = Script(depth: 0)
        #expect(script.computed(["1"], ["-1"]) == [])
        #expect(script.came("0", previous: "-1", next: "1") == ["deliver 0", "end [0]"])
        #expect(script.isOver)
    }

    /// Whatever the order of the outcomes, the order of delivery is the same.
    @Test func `the order of delivery depends on no timing`() {
        for seed in UInt64(0)..<500 {
            var random = SplitMix64(seed: seed)
            let script = Script(depth: 4)
            _ = script.computed((1...4).map { "\($0)" }, (1...4).map { "\(-$0)" })
            var delivered: [String] = []
            for distance in (-4...4).shuffled(using: &random) {
                delivered += script.came("\(distance)", previous: "\(distance - 1)", next: "\(distance + 1)")
            }
            let expected =
                [0, 1, -1, 2, -2, 3, -3, 4, -4].map { "deliver \($0)" } + [
                    "end [0, 1, -1, 2, -2, 3, -3, 4, -4]"
                ]
            #expect(delivered == expected, "seed \(seed)")
        }
    }
}
