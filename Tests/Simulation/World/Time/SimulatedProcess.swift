import PaginatorCore

/// A process of the simulated device: what it hands over runs in virtual time, and nothing of it once it has died.
final class SimulatedProcess: WorkExecutor {
    private let timeline: Timeline
    /// Its number; later processes have greater ones.
    let number: Int

    /// Starts the process, in place of the one that lived before.
    init(_ timeline: Timeline) {
        self.timeline = timeline
        number = timeline.livingProcess + 1
        timeline.livingProcess = number
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        guard timeline.livingProcess == number else { return }
        timeline.addSoon(process: number, work)
    }

    /// Kills the process: what it has handed over never runs.
    func die() { timeline.livingProcess = number + 1 }
}
