import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct SchedulerStressTests {
    private struct State: Sendable {
        /// Tasks that have not ended.
        var open: Set<UInt64> = []
        var retried: Set<UInt64> = []
        var isInCall = false
        var starts = 0
        /// Calls that came while another one of the same client was under way.
        var overlaps = 0
        /// Starts and refusals of tasks that had ended before, other than by being cancelled.
        var surplus = 0
        var cancelled: Set<UInt64> = []
    }

    /// Ends each task that it is told to start, some of them at the second attempt.
    private final class Worker: SchedulerClient {
        let state = Handshake(State())
        let scheduler: PaginatorScheduler
        private let number = Guarded<UInt64>(0)

        init(_ scheduler: PaginatorScheduler) {
            self.scheduler = scheduler
            let id = scheduler.register(self)
            number.withLock { $0 = id }
        }

        var id: UInt64 { number.withLock { $0 } }

        func submit(_ task: UInt64, _ priority: FetchPriority, isPrefetch: Bool) {
            state.update { state in _ = state.open.insert(task) }
            scheduler.submit(task, for: id, priority: priority, isPrefetch: isPrefetch)
        }

        func cancel(_ task: UInt64) {
            state.update { state in
                if state.open.remove(task) != nil { state.cancelled.insert(task) }
            }
            scheduler.cancel(task, for: id)
        }

        func schedulerDidDecide(_ decision: SchedulerDecision) {
            enter()
            defer { leave() }
            switch decision {
            case .start(let task, _): start(task.id)
            case .refuse(let task, _): end(task.id)
            case .backOff, .hold: break
            }
        }

        private func start(_ task: UInt64) {
            let tryAgain = state.update { state -> Bool in
                state.starts += 1
                guard task % 5 == 0, !state.cancelled.contains(task) else { return false }
                return state.retried.insert(task).inserted
            }
            scheduler.attemptEnded(task, for: id, outcome: tryAgain ? .overloaded : .accepted)
            if tryAgain {
                scheduler.retry(task, for: id, priority: .low, failures: 1, statedDelay: nil)
                let wasCancelled = state.read { $0.cancelled.contains(task) }
                if wasCancelled { scheduler.cancel(task, for: id) }
            } else {
                end(task)
            }
        }

        private func end(_ task: UInt64) {
            state.update { state in
                let wasOpen = state.open.remove(task) != nil
                if !wasOpen, !state.cancelled.contains(task) { state.surplus += 1 }
            }
        }

        private func enter() {
            state.update { state in
                if state.isInCall { state.overlaps += 1 }
                state.isInCall = true
            }
        }

        private func leave() { state.update { $0.isInCall = false } }
    }

    @Test func `many threads lose no task and no slot`() async throws {
        var config = PaginatorSchedulerConfig()
        config.throttlesFailingSource = false
        config.backoffBase = .milliseconds(2)
        config.retryBudgetTokens = 100_000
        let connectivity = ScriptedConnectivity()
        let scheduler = PaginatorScheduler(config: config, connectivity: connectivity)
        let workers = (0..<4).map { _ in Worker(scheduler) }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for step in 0..<1_000 {
                let worker = workers[Int.random(in: 0..<workers.count, using: &random)]
                let task = UInt64(thread * 10_000 + step + 1)
                worker.submit(task, FetchPriority.allCases[step % 3], isPrefetch: step % 7 == 0)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: worker.cancel(task)
                case 1: scheduler.reprioritize(task, for: worker.id, priority: .high, isPrefetch: false)
                case 3: connectivity.set([.offline, .weakLink, []].randomElement(using: &random) ?? [])
                case 4:
                    scheduler.suspend()
                    scheduler.resume()
                default: break
                }
            }
        }
        // Set again, since two threads may have told their changes in another order than they made them.
        connectivity.set(.lowPower)
        connectivity.set([])
        for worker in workers {
            try await worker.state.wait { $0.open.isEmpty && !$0.isInCall }
            #expect(worker.state.read { $0.overlaps } == 0)
            #expect(worker.state.read { $0.surplus } == 0)
        }
        let statistics = scheduler.statistics
        #expect(statistics.running == 0)
        #expect(statistics.waiting.values.reduce(0, +) == 0)
        #expect(statistics.backingOff == 0)
        #expect(workers.reduce(0) { $0 + $1.state.read { $0.starts } } > 1_000)
    }
}
