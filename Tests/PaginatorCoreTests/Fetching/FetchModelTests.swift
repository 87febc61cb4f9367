import Foundation
@testable import PaginatorCore
import PaginatorTesting
import Testing

/// Random histories of a paginator among troubles, judged by ``FetchModel``, which was written from the contract alone.
@Suite("The fetch pipeline against its contract")
struct FetchModelTests {
    /// How many seeds run; `PAGINATOR_LONG_TESTS` runs many, `PAGINATOR_SEED` one.
    static func seeds(_ count: UInt64) -> ClosedRange<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        if let one = environment["PAGINATOR_SEED"].flatMap({ UInt64($0) }) { return one...one }
        return 1...(environment["PAGINATOR_LONG_TESTS"] == nil ? count : count * 20)
    }

    /// Whether one seed is looked at alone, with everything that happens.
    static var isAlone: Bool { ProcessInfo.processInfo.environment["PAGINATOR_SEED"] != nil }

    /// Runs one history; tells the first thing that was wrong, and the troubles of the seed.
    static func run(_ seed: UInt64, _ all: Findings, steps: Int = 150) {
        all.seed = seed
        let findings = Findings()
        if isAlone { findings.log = [] }
        let world = FetchWorld(findings, seed: seed)
        world.live(steps)
        if findings.texts.isEmpty { world.finish() } else { world.release() }
        if !findings.texts.isEmpty { for line in findings.log ?? [] { print(line) } }
        if let first = findings.texts.first { all.texts.append("\(first) (troubles \(world.drawn.rawValue))") }
    }

    @Test func `Whatever happens around it every fetch keeps every promise`() {
        let texts = watched { findings in
            for seed in Self.seeds(100) {
                Self.run(seed, findings)
                if findings.texts.count > 40 { return }
            }
        }
        #expect(texts.isEmpty, "\(texts.joined(separator: "\n"))")
    }
}
