package import PaginatorCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Virtual time: everything that is going to happen, in the order of its time, on one thread.
///
/// Work that a process hands over runs after a short random delay, now and then a long one, so that two pieces of work
/// may run in either order. Work of a process that has died does not run. While the device sleeps, the clock goes on, and
/// timers and work of processes stand still.
///
/// `@unchecked Sendable`: everything runs on the thread that calls ``runNext()``.
package final class Timeline: PaginatorClock, @unchecked Sendable {
    private struct Entry {
        var time: Int64
        var tie: UInt32
        var cell: Int32
    }

    private struct Piece {
        var process: Int
        var isTimer: Bool
        var work: (@Sendable () -> Void)?
    }

    // Not checked for overlapping uses at run time: there is one thread, and no work runs while they are used.
    @exclusivity(unchecked) private var heap: [Entry] = []
    @exclusivity(unchecked) private var pieces: [Piece] = []
    @exclusivity(unchecked) private var free: [Int32] = []
    @exclusivity(unchecked) private var random: SplitMix64
    private var wallOrigin = 800_000_000.0
    private let longDelay: Int64
    /// How many pieces of 128 wait long.
    private let longShare: UInt64

    /// Nanoseconds since the world began.
    @exclusivity(unchecked) package private(set) var nanoseconds: Int64 = 0
    /// How much of that the device has slept.
    @exclusivity(unchecked) package private(set) var asleep: Int64 = 0
    /// The process whose work runs; work of the world itself has the number zero and always runs.
    @exclusivity(unchecked) package var livingProcess = 0

    /// Makes the beginning of time.
    ///
    /// - Parameters:
    ///   - seed: the order of what happens at once, and how long work waits.
    ///   - longDelay: the longest time that a piece of work waits for its thread.
    ///   - longShare: how many pieces of 128 may wait as long.
    package init(seed: UInt64, longDelay: Duration, longShare: Int = 1) {
        random = SplitMix64(seed: seed)
        self.longShare = UInt64(max(0, longShare))
        self.longDelay = max(1, longDelay.wholeNanoseconds)
    }

    package var now: PaginatorInstant { PaginatorInstant(nanoseconds: nanoseconds) }

    /// Nanoseconds for which the device was awake: the time that counts for whoever waits for a thread or a timer.
    package var awake: Int64 { nanoseconds - asleep }

    package var wallTime: Date { Date(timeIntervalSinceReferenceDate: wallSeconds) }

    /// The wall-clock time in seconds since the reference date.
    package var wallSeconds: Double { wallOrigin + Double(nanoseconds) * 1e-9 }

    /// Sets the wall clock, as a user or a server does.
    package func jumpWallTime(by seconds: Double) { wallOrigin += seconds }

    /// When the next piece of work is due; `nil` when nothing will happen any more.
    package var next: Int64? { heap.first?.time }

    /// Lets time pass until `time`; what is due before stays due.
    package func wait(until time: Int64) { nanoseconds = max(nanoseconds, time) }

    /// Lets the device sleep. What the world itself was going to do meanwhile happens when it wakes, before anything else.
    package func sleep(_ duration: Int64) {
        nanoseconds += duration
        asleep += duration
        for place in heap.indices {
            let piece = pieces[Int(heap[place].cell)]
            if piece.isTimer || piece.process != 0 { heap[place].time += duration }
        }
        // What is sorted is a heap, too.
        heap.sort(by: isBefore)
    }

    /// Adds a piece of work.
    package func add(
        at time: Int64, process: Int = 0, isTimer: Bool = false, _ work: @escaping @Sendable () -> Void
    ) {
        let piece = Piece(process: process, isTimer: isTimer, work: work)
        let cell: Int32
        if let known = free.popLast() {
            cell = known
            pieces[Int(cell)] = piece
        } else {
            cell = Int32(pieces.count)
            pieces.append(piece)
        }
        push(Entry(time: max(time, nanoseconds), tie: UInt32(truncatingIfNeeded: random.next()), cell: cell))
    }

    /// Adds a piece of work that runs as soon as a thread takes it up.
    package func addSoon(process: Int, _ work: @escaping @Sendable () -> Void) {
        let bits = random.next()
        let share = Int64(bits >> 40)
        let longest: Int64 =
            switch bits & 127 {
            case 0..<longShare: longDelay
            case 64..<75: 20_000_000
            default: 200_000
            }
        add(at: nanoseconds + (longest * share) >> 24, process: process, work)
    }

    /// Does the next piece of work; says whether there was one.
    package func runNext() -> Bool {
        guard let entry = pop() else { return false }
        let cell = Int(entry.cell)
        let isWanted = pieces[cell].process == 0 || pieces[cell].process == livingProcess
        let work = pieces[cell].work.take()
        free.append(entry.cell)
        nanoseconds = max(nanoseconds, entry.time)
        if isWanted { work?() }
        return true
    }

    package func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        VirtualTimer(self, handler)
    }

    /// How late a timer fires.
    fileprivate func lateness() -> Int64 { Int64(random.next() >> 44) }

    // MARK: - A binary heap

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time != right.time ? left.time < right.time : left.tie < right.tie
    }

    private func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(entry, heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    private func pop() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        var parent = 0
        let count = heap.count
        while true {
            var child = 2 * parent + 1
            guard child < count else { break }
            if child + 1 < count, isBefore(heap[child + 1], heap[child]) { child += 1 }
            guard isBefore(heap[child], last) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
        return first
    }
}

/// A timer of virtual time; it fires a little late, as timers do. Its times are such of a device that is awake: it stands
/// still while the device sleeps.
///
/// `@unchecked Sendable`: everything runs on one thread.
private final class VirtualTimer: PaginatorTimer, @unchecked Sendable {
    private unowned let timeline: Timeline
    private let handler: @Sendable () -> Void
    private var deadline: Int64?
    /// The earliest time for which the timeline has a piece of work.
    private var queued: Int64?

    init(_ timeline: Timeline, _ handler: @escaping @Sendable () -> Void) {
        self.timeline = timeline
        self.handler = handler
    }

    func arm(at deadline: PaginatorInstant) {
        // Nothing waits for what no clock reaches.
        let latest = timeline.nanoseconds + Duration.days(3_650).wholeNanoseconds
        guard deadline.nanoseconds < latest else { return disarm() }
        let time = max(deadline.nanoseconds, timeline.nanoseconds) - timeline.asleep
        self.deadline = time
        guard time < queued ?? .max else { return }
        enqueue(time)
    }

    func disarm() { deadline = nil }

    private func enqueue(_ time: Int64) {
        queued = time
        let late = time + timeline.asleep + timeline.lateness()
        timeline.add(at: late, isTimer: true) { [weak self] in self?.due(time) }
    }

    private func due(_ time: Int64) {
        guard queued == time else { return }
        queued = nil
        guard let deadline else { return }
        guard deadline <= timeline.awake else { return enqueue(deadline) }
        self.deadline = nil
        handler()
    }
}
