import Foundation

// How often memory is allocated, counted in a process of its own.
extension Group {
    static let allocations = Group(name: "allocations") { session in
        guard let interposer = Command.path("PAGINATOR_BENCH_INTERPOSER") else {
            session.note("allocations: SKIPPED, counted on Linux with glibc and through scripts/bench only")
            return session.count("miss-allocations", nil, .atMost(8))
        }
        session.progress("allocations")
        let figures = Child.figures(try Command.runSelf(["allocations"], with: ["LD_PRELOAD": interposer]))
        for figure in figures {
            session.record("allocations an operation", figure.name, figure.value, unit: "allocations")
        }
        session.count("miss-allocations", figures.first { $0.name == Child.miss }?.value, .atMost(8))
    }
}
