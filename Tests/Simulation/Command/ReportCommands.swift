import PaginatorSimulation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Prints what a fleet of clients does to a backend that is down for ten minutes.
struct FleetCommand {
    let arguments: Arguments

    func run() -> Bool {
        let clients = arguments.number("clients") ?? 100_000
        for rate in [0.1, 1.0] {
            let report = FleetReport(clients: rate > 0.5 ? clients / 10 : clients, rate: rate)
            print(report.table)
            print(report.plot)
            guard rate < 0.5, let path = arguments.text("svg") else { continue }
            do {
                try Data(report.picture.utf8).write(to: URL(filePath: path))
            } catch {
                print("the picture could not be written: \(error)")
                return false
            }
        }
        return true
    }
}

/// Prints the load of an outage with the default settings, for clients that ask often and for those that ask seldom, and
/// what the ways of the textbooks to try again do to it.
struct OutageCommand {
    func run() -> Bool {
        var isGood = true
        for (clients, rate) in [(100, 5.0), (2_000, 1.0), (10_000, 0.2), (20_000, 0.1)] {
            var fleet = FleetSimulation(FleetReport.habits[0])
            fleet.clients = clients
            fleet.rate = rate
            // What one backend can do is no matter here: every source is down, and then up.
            fleet.capacity = 1_000
            fleet.run(seed: 1)
            isGood = isGood && fleet.loadInOutage <= 1.1 && fleet.peakAfter <= 1.2
            print(
                "outage, \(rate) requests a second of each client: load \(rounded(fleet.loadInOutage)) (goal: at most "
                    + "1.10), peak after \(rounded(fleet.peakAfter)) (goal: at most 1.20)")
        }
        for habits in FleetReport.textbookHabits {
            var fleet = FleetSimulation(habits)
            fleet.clients = 2_000
            fleet.rate = 1
            fleet.run(seed: 1)
            print(
                "\(habits.name): load \(rounded(fleet.loadInOutage)), worst minute \(rounded(fleet.worstMinute)), "
                    + "peak after \(rounded(fleet.peakAfter))")
        }
        return isGood
    }

    private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

/// Prints what prefetching saves, and what it costs.
struct PrefetchCommand {
    func run() -> Bool {
        for line in PrefetchSimulation.lines() { print(line) }
        return true
    }
}

/// Prints what users wait for, by how a list loads ahead, how they scroll and what link they have.
struct ScrollingCommand {
    let arguments: Arguments

    func run() -> Bool {
        let minutes = Double(arguments.number("minutes") ?? 30)
        for line in ScrollingReport(seeds: arguments.number("seeds") ?? 8, minutes: minutes).lines { print(line) }
        for line in FirstRows().lines { print(line) }
        return true
    }
}
