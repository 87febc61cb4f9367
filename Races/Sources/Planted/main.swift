// Mistakes that a sanitizer must find, or the silence of the others would say nothing: Planted race, Planted leak.
import Foundation

/// `@unchecked Sendable`: which it is not; that is the race.
final class Counter: @unchecked Sendable {
    var count = 0
    var next: Counter?
}

switch CommandLine.arguments.last {
case "race":
    let counter = Counter()
    let done = DispatchGroup()
    for _ in 0..<2 {
        done.enter()
        Thread {
            counter.count += 1
            done.leave()
        }.start()
    }
    done.wait()
case "leak":
    @inline(never) func leak() {
        for _ in 0..<100 {
            let counter = Counter()
            counter.next = counter
        }
    }
    leak()
default: print("Planted race, or Planted leak")
}
