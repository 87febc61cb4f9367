import Dispatch
import Foundation

/// `soak`: lives with the library for some minutes and prints the memory that it takes; `scripts/soak` builds and runs it.
@main
enum Soak {
    static func main() throws {
        let words = CommandLine.arguments
        let minutes = words.firstIndex(of: "--minutes").flatMap { Double(words[($0 + 1)...].first ?? "") } ?? 3
        let seed = words.firstIndex(of: "--seed").flatMap { UInt64(words[($0 + 1)...].first ?? "") } ?? 1
        let folder = FileManager.default.temporaryDirectory.appending(path: "paginator-soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = SoakRun(world: try SoakWorld(folder: folder, seed: seed), seconds: minutes * 60)
        run.start { isFlat in
            // What cannot be removed is left to the system's cleaner of temporary folders.
            try? FileManager.default.removeItem(at: folder)
            exit(isFlat ? 0 : 1)
        }
        dispatchMain()
    }
}

/// Acts every few milliseconds, measures every few seconds, and judges in the end.
///
/// `@unchecked Sendable`: everything mutable is used on ``queue`` alone.
final class SoakRun: @unchecked Sendable {
    private let world: SoakWorld
    private let seconds: Double
    private let queue = DispatchQueue(label: "soak")
    private let began = DispatchTime.now()
    private var timer: (any DispatchSourceTimer)?
    private var samples: [(time: Double, bytes: Int)] = []
    private let interval: Double

    init(world: SoakWorld, seconds: Double) {
        self.world = world
        self.seconds = seconds
        interval = max(1, seconds / 36)
    }

    func start(_ completion: @escaping @Sendable (Bool) -> Void) {
        print("seconds  resident MB    fetches    answers    updates      edits    lists  paginators")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(2))
        timer.setEventHandler { [self] in tick(completion) }
        self.timer = timer
        timer.resume()
    }

    private func tick(_ completion: @escaping @Sendable (Bool) -> Void) {
        world.act()
        let time = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
        if time >= Double(samples.count) * interval { measure(time) }
        guard time >= seconds else { return }
        timer?.cancel()
        timer = nil
        // Late answers of a source that hangs come with the time-outs of attempts and fetches.
        world.finish { [self] in
            queue.asyncAfter(deadline: .now() + 3) { [self] in completion(judge()) }
        }
    }

    private func measure(_ time: Double) {
        let bytes = residentMemory()
        samples.append((time, bytes))
        let counts = world.counts
        let numbers = [counts.fetches, counts.answers, counts.updates, counts.edits, counts.lists, counts.paginators]
        let columns = zip(numbers, [11, 11, 11, 11, 9, 12]).map { pad("\($0)", $1) }.joined()
        print(pad("\(Int(time))", 7) + pad(megabytes(bytes), 13) + columns)
        fflush(nil)
    }

    /// The first third is warming up: caches, the store's table and the allocator's pools fill. After that the median of
    /// the last third must not be more than a tenth, and two megabytes, above that of the second.
    private func judge() -> Bool {
        let counts = world.counts
        print("fetches begun \(counts.fetches), answered \(counts.answers)")
        let third = samples.count / 3
        let middle = median(samples[third..<2 * third].map(\.bytes))
        let last = median(samples[(2 * third)...].map(\.bytes))
        let growth = last - middle
        let share = Double(growth) / Double(max(1, middle)) * 100
        print(
            "after the warm-up: median \(megabytes(middle)) MB, then \(megabytes(last)) MB, growth "
                + "\(megabytes(growth)) MB (\((share * 10).rounded() / 10) %)")
        let isFlat = growth <= max(2_000_000, middle / 10)
        let isAnswered = counts.fetches == counts.answers
        if !isAnswered { print("error: a fetch was not answered exactly once") }
        if !isFlat { print("error: the memory grows") }
        print(isFlat && isAnswered ? "soak: ok" : "soak: failed")
        return isFlat && isAnswered
    }

    private func median(_ numbers: [Int]) -> Int { numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2] }

    private func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 100_000).rounded() / 10)" }

    private func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
