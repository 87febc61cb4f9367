import PaginatorCore
import Testing

#if DEBUG
    /// The queue counts the nodes that it writes in debug builds only.
    @Suite struct ReadyQueueComplexityTests {
        private struct Cost: Hashable {
            var add: [Int]
            var reprioritize: [Int]
            var cancel: [Int]
            var take: [Int]
        }

        /// The nodes written by each of a hundred operations of a kind, with `count` tasks waiting.
        private func cost(waiting count: Int) -> Cost {
            var queue = ReadyQueue()
            var handles: [ReadyQueue.Handle] = []
            var random = SplitMix64(seed: 11)
            func add(_ id: Int) {
                handles.append(
                    queue.add(
                        SchedulerTask(client: 1, id: UInt64(id)), priority: FetchPriority.allCases[id % 3],
                        isPrefetch: id % 4 == 0, at: PaginatorInstant(nanoseconds: Int64(id))))
            }
            func writes(_ operation: (Int) -> Void) -> [Int] {
                (0..<100).map { step in
                    let before = queue.writes
                    operation(step)
                    return queue.writes - before
                }
            }
            for id in 0..<count { add(id) }
            let added = writes { add(count + $0) }
            let moved = writes { step in
                let handle = handles[Int.random(in: 0..<handles.count, using: &random)]
                let kind = queue[handle].map { ($0.priority, $0.isPrefetch) } ?? (.low, false)
                let other = FetchPriority.allCases[(kind.0.rawValue + 1) % 3]
                queue.reprioritize(handle, priority: other, isPrefetch: kind.1, at: .zero)
            }
            let cancelled = writes { _ in
                let place = Int.random(in: 0..<handles.count, using: &random)
                queue.remove(handles.remove(at: place))
            }
            let taken = writes { step in _ = queue.take(includingPrefetch: step % 2 == 0) }
            return Cost(add: added, reprioritize: moved, cancel: cancelled, take: taken)
        }

        @Test func aMillionWaitingCostAsManyStepsAsAThousand() {
            let few = cost(waiting: 1_000)
            #expect(few == cost(waiting: 1_000_000))
            #expect(few.add.allSatisfy { $0 == 6 })
            #expect(few.reprioritize.allSatisfy { $0 == 6 })
            #expect(few.cancel.allSatisfy { $0 == 5 })
            #expect(few.take.allSatisfy { $0 == 5 })
        }
    }
#endif
