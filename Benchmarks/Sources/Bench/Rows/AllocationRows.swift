import Foundation

// How often memory is allocated, counted in a process of its own.
extension Group {
    static let allocations = Group(name: "allocations") { session in
        guard let interposer = Command.path("PAGINATOR_BENCH_INTERPOSER") else {
            return session.note("allocations: SKIPPED, counted on Linux with glibc and through scripts/bench only")
        }
        session.progress("allocations")
        for figure in Child.figures(try Command.runSelf(["allocations"], with: ["LD_PRELOAD": interposer])) {
            session.record("allocations an operation", figure.name, figure.value, unit: "allocations")
        }
    }
}
