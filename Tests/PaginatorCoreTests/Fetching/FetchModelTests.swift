import Foundation
import Oracles
import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Random histories of a paginator among troubles, judged by ``FetchModel``, which was written from the contract alone.
@Suite("The fetch pipeline against its contract")
struct FetchModelTests {
    /// Runs one history; tells the first thing that was wrong, and the troubles of the seed.
    static func run(_ seed: UInt64, _ all: Findings, steps: Int = 150) {
        all.seed = seed
        let findings = Findings()
        if Seeds.isAlone { findings.log = [] }
        let world = FetchWorld(findings, seed: seed)
        world.live(steps)
        if findings.texts.isEmpty { world.finish() } else { world.release() }
        if !findings.texts.isEmpty { for line in findings.log ?? [] { print(line) } }
        if let first = findings.texts.first { all.texts.append("\(first) (troubles \(world.drawn.rawValue))") }
    }

    @Test func `Whatever happens around it every fetch keeps every promise`() {
        let texts = watched { findings in
            for seed in Seeds.upTo(100) {
                Self.run(seed, findings)
                if findings.texts.count > 40 { return }
            }
        }
        #expect(texts.isEmpty, "\(texts.joined(separator: "\n"))")
    }
}
