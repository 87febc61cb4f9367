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
    }

    /// What an app gets that uses the core alone: how much larger it becomes, and how long it is built.
    static let footprint = Group(name: "footprint") { session in
        guard let core = Command.path("PAGINATOR_BENCH_CORE") else {
            return session.note(
                "size and build time: SKIPPED, PAGINATOR_BENCH_CORE does not name the core's sources; use scripts/bench"
            )
        }
        let package = session.folder.appendingPathComponent("core-only")
        let sources = package.appendingPathComponent("Sources")
        for name in ["Nothing", "CoreOnly"] {
            try FileManager.default.createDirectory(
                at: sources.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: sources.appendingPathComponent("PaginatorCore"), withDestinationURL: URL(fileURLWithPath: core))
        func write(_ text: String, _ path: String) throws {
            try Data(text.utf8).write(to: package.appendingPathComponent(path))
        }
        try write(manifest, "Package.swift")
        try write("print(\"nothing\")\n", "Sources/Nothing/main.swift")
        try write(user, "Sources/CoreOnly/main.swift")
        func build(_ product: String) throws -> Double {
            session.progress("building \(product)")
            return try Timing.nanoseconds {
                try Command.run(
                    "swift",
                    [
                        "build", "-c", "release", "--package-path", package.path, "--product", product, "--quiet",
                    ])
            }
        }
        // The first build also prepares the package, which is not the core's.
        _ = try build("Nothing")
        session.record(
            "clean release build of PaginatorCore and a program that uses it", "wall time", try build("CoreOnly"),
            unit: "ns")
        let folder = try Command.run(
            "swift", ["build", "-c", "release", "--package-path", package.path, "--show-bin-path"]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        func size(_ name: String) throws -> Double {
            let file = "\(folder)/\(name)"
            try Command.run("strip", [file])
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            return (attributes[.size] as? NSNumber)?.doubleValue ?? .nan
        }
        let row = "stripped release program"
        session.record(row, "that does nothing", try size("Nothing"), unit: "bytes")
        session.record(row, "that uses PaginatorCore", try size("CoreOnly"), unit: "bytes")
    }

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription
        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
        ]
        let package = Package(
            name: "core-only",
            platforms: [.macOS(.v15)],
            targets: [
                .target(name: "PaginatorCore", swiftSettings: settings),
                .executableTarget(name: "CoreOnly", dependencies: ["PaginatorCore"], swiftSettings: settings),
                .executableTarget(name: "Nothing", swiftSettings: settings),
            ])

        """

    private static let user = """
        import Dispatch
        import PaginatorCore

        let source = ClosureDataSource<Int>(firstKey: "0") { request, completion in
            completion(.success(PaginatorPage(content: [1, 2, 3], key: request.key)))
            return .none
        }
        let paginator = CallbackPaginator(dataSource: source)
        let done = DispatchSemaphore(value: 0)
        paginator.fetch(key: "0", pageSize: 30) { result in
            if case .success(let fetched) = result { print(fetched.page.content) }
            done.signal()
        }
        done.wait()

        """
}
