import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

// An app that starts: a process opens a file of 100,000 pages and gets the first one.
extension Group {
    static let startUp = Group(name: "start-up") { session in
        let pages = session.scaled(100_000)
        let folder = session.folder.appendingPathComponent("start-up")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let content = try BinaryPageCodec<Story>().encode((0..<5).map { Story($0) })
        session.progress("start-up: a file of \(pages) pages")
        let ours = folder.appendingPathComponent("ours.sqlite")
        try StoreFile.make(ours.path, pages: pages, content, items: 5)
        let theirs = folder.appendingPathComponent("c.sqlite")
        try FileManager.default.copyItem(at: ours, to: theirs)
        let pool = folder.appendingPathComponent("pool.sqlite")
        do {
            let filled = try PoolBytes(path: pool.path)
            for start in stride(from: 0, to: pages, by: 1_000) {
                try filled.save(Array(start..<min(pages, start + 1_000))[...], content)
            }
        }
        var times = [[Double]](repeating: [], count: 4)
        let contenders = [
            ("c", "SQLite in C and the hand-written codec", theirs), ("store", "paginator with the store", ours),
            ("pool", "GRDB's pool, bytes alone", pool),
            ("recovery", "the facts of all pages, which the store loads in the background", ours),
        ]
        session.progress("start-up")
        for _ in 0..<session.scaled(10) + 1 {
            for (index, contender) in contenders.enumerated() {
                let output = try Command.runSelf(["start-up", contender.0, contender.2.path])
                times[index] += Child.figures(output).map(\.value)
            }
        }
        for (index, contender) in contenders.enumerated() {
            session.record(
                "first page of \(pages) on disk, in a new process", contender.1, samples: times[index], unit: "ns",
                clock: .wall)
        }
        session.ratio(
            "first-page-on-disk-to-c", times[1].percentile(0.5) / times[0].percentile(0.5), .atMost(1.2))
    }
}
