import Testing

@testable import PaginatorCore

#if DEBUG
    /// The queue counts the places that it writes, and the tasks that it passes over, in debug builds only.
    @Suite struct ReadyQueueComplexityTests {
        private let priorities = FetchPriority.allCases

        private func add(_ id: Int, to queue: inout ReadyQueue) -> ReadyQueue.Handle {
            queue.add(
                SchedulerTask(client: 1, id: UInt64(id)), priority: priorities[id % 3],
                isPrefetch: id % 4 == 0, at: PaginatorInstant(nanoseconds: Int64(id)))
        }

        @Test(arguments: [1_000, 1_000_000]) func aMillionWaitingCostAsManyWritesAsAThousand(count: Int) {
            var queue = ReadyQueue()
            var random = SplitMix64(seed: 11)
            var handles = (0..<count).map { add($0, to: &queue) }
            var (added, moved, cancelled, taken): (Set<Int>, Set<Int>, Set<Int>, Set<Int>) = ([], [], [], [])
            for step in 0..<300 {
                var before = queue.writes
                func writes() -> Int {
                    defer { before = queue.writes }
                    return queue.writes - before
                }
                handles.append(add(count + step, to: &queue))
                added.insert(writes())
                let handle = handles[Int.random(in: 0..<handles.count, using: &random)]
                if let entry = queue[handle] {
                    let other = priorities[(entry.priority.rawValue + 1) % 3]
                    let turns = step % 3 == 0
                    queue.reprioritize(
                        handle, priority: other, isPrefetch: entry.isPrefetch != turns, at: .zero)
                    moved.insert(writes())
                }
                handles.swapAt(Int.random(in: 0..<handles.count, using: &random), handles.count - 1)
                if queue.remove(handles.removeLast()) != nil { cancelled.insert(writes()) }
                if queue.take(includingPrefetch: step % 2 == 0) != nil { taken.insert(writes()) }
            }
            // The greater counts are of a chunk's first or last task.
            #expect(added.isSubset(of: 3...9), "additions wrote \(added.sorted()) places")
            #expect(moved.isSubset(of: 4...16), "moves wrote \(moved.sorted()) places")
            #expect(cancelled.isSubset(of: 2...12), "removals wrote \(cancelled.sorted()) places")
            #expect(taken.isSubset(of: 2...12), "takes wrote \(taken.sorted()) places")
        }

        @Test func chunksInWhichAllWereMovedAwayArePassedOverOnce() {
            var queue = ReadyQueue()
            var handles: [ReadyQueue.Handle] = []
            for id in 0..<1_000 as Range<UInt64> {
                handles.append(
                    queue.add(SchedulerTask(client: 1, id: id), priority: .low, isPrefetch: false, at: .zero))
            }
            for handle in handles[1..<999].reversed() {
                queue.reprioritize(handle, priority: .medium, isPrefetch: false, at: .zero)
            }
            #expect(queue.passes == 0)
            queue.remove(handles[0])
            #expect(queue.passes == 15)
            for handle in handles[1..<999] {
                queue.reprioritize(handle, priority: .high, isPrefetch: false, at: .zero)
            }
            #expect(queue.count(priority: .low, isPrefetch: false) == 1)
            while queue.take(includingPrefetch: true) != nil {}
            #expect(queue.passes == 15)
        }

        @Test(arguments: 1...4 as ClosedRange<UInt64>)
        func noMoreChunksArePassedOverThanWereFilled(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var queue = ReadyQueue()
            var handles: [ReadyQueue.Handle] = []
            var arrivals = 0
            for step in 0..<20_000 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    arrivals += 1
                    handles.append(add(step, to: &queue))
                case 3...5:
                    guard let handle = handles.randomElement(using: &random), queue[handle] != nil else { continue }
                    arrivals += 1
                    queue.reprioritize(
                        handle, priority: FetchPriority.allCases.randomElement(using: &random) ?? .low,
                        isPrefetch: Bool.random(using: &random), at: .zero)
                case 6: _ = queue.take(includingPrefetch: Bool.random(using: &random))
                default: handles.randomElement(using: &random).map { _ = queue.remove($0) }
                }
            }
            #expect(queue.passes > 0)
            #expect(queue.passes <= arrivals / 64, "seed \(seed)")
        }

        @Test func placesAreUsedAgainAndGivenBack() {
            var queue = ReadyQueue()
            var handles: [ReadyQueue.Handle] = []
            for step in 0..<5_000 {
                handles.append(add(step, to: &queue))
                for handle in handles.suffix(3) {
                    queue.reprioritize(
                        handle, priority: priorities[step / 2 % 3], isPrefetch: step % 5 == 0, at: .zero)
                }
                if queue.count > 10 { _ = queue.take(includingPrefetch: true) }
            }
            #expect(queue.places <= 28 * 64 + 11)
            for step in 0..<5_000 {
                queue.reprioritize(
                    add(step, to: &queue), priority: priorities[(step + 1) % 3], isPrefetch: false, at: .zero)
            }
            #expect(queue.places > 9_000)
            while queue.take(includingPrefetch: true) != nil {}
            #expect(queue.places == 0)
        }

        @Test func aTaskThatWaitsLongKeepsNoMoreThanItsChunk() {
            var queue = ReadyQueue()
            var long: [ReadyQueue.Handle] = []
            for step in 0..<20_000 {
                let handle = add(step, to: &queue)
                if step % 1_000 < 10 {
                    long.append(handle)
                    if step % 3 == 0 { queue.reprioritize(handle, priority: .high, isPrefetch: true, at: .zero) }
                } else {
                    queue.remove(handle)
                }
            }
            #expect(queue.count == long.count)
            // Each may keep one where its handle leads and one where it arrived anew; each bucket has one to fill.
            #expect(queue.places <= (2 * long.count + 6) * 64 + long.count)
            for handle in long { queue.remove(handle) }
            #expect(queue.count == 0)
            for step in 0..<20_000 {
                queue.remove(add(step, to: &queue))
            }
            #expect(queue.places <= 6 * 64 + long.count)
        }
    }
#endif
