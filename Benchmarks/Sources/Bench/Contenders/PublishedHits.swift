/// Hit rates that others have published of traces that are here too, in percent.
enum PublishedHits {
    struct Cell {
        let trace: String
        let capacity: Int
        /// What was published of LRU, to see that trace and counting are the same.
        let lru: Double?
        /// The best that was published of any policy that does not know the future.
        let best: Double
        let policy: String
        let source: Source
        /// Of the policy that knows the future and takes every page in.
        let optimum: Double?

        init(
            _ trace: String, _ capacity: Int, lru: Double?, best: Double, _ policy: String, _ source: Source,
            optimum: Double? = nil
        ) {
            (self.trace, self.capacity) = (trace, capacity)
            (self.lru, self.best, self.policy, self.source, self.optimum) = (lru, best, policy, source, optimum)
        }
    }

    enum Source: String {
        /// falsandtru/dw-cache, README of July 2024: other policies by Caffeine's simulator.
        case dualWindow = "dw-cache"
        /// falsandtru/dw-cache, README of 2022.
        case dualWindow2022 = "dw-cache 2022"
        /// bitfaster/BitFaster.Caching, pull requests 191 and 196.
        case bitFaster = "BitFaster"
        /// ben-manes/caffeine, adaptive-window.html of August 2026.
        case caffeine = "Caffeine"
        /// ben-manes/caffeine, pull request 1983.
        case caffeineClockPro = "Caffeine 1983"
    }

    static let cells: [Cell] = [
        Cell("oltp", 250, lru: 16.47, best: 24.88, "W-TinyLFU", .bitFaster, optimum: 38.47),
        Cell("oltp", 500, lru: 23.45, best: 33.73, "W-TinyLFU", .bitFaster, optimum: 46.43),
        Cell("oltp", 750, lru: 28.28, best: 37.46, "W-TinyLFU", .bitFaster, optimum: 50.67),
        Cell("oltp", 1_250, lru: 36.21, best: 42.33, "W-TinyLFU", .bitFaster, optimum: 55.84),
        Cell("oltp", 1_500, lru: 38.7, best: 43.8, "W-TinyLFU", .bitFaster, optimum: 57.62),
        Cell("oltp", 1_750, lru: 40.79, best: 45.06, "W-TinyLFU", .bitFaster, optimum: 59.13),
        Cell("gli", 250, lru: 0.91, best: 16.56, "TinyLFU", .dualWindow, optimum: 17.71),
        Cell("gli", 500, lru: 0.95, best: 33.85, "TinyLFU", .dualWindow, optimum: 34.33),
        Cell("gli", 750, lru: 1.15, best: 43.86, "TinyLFU", .dualWindow, optimum: 46.13),
        Cell("gli", 1_000, lru: 11.21, best: 50.96, "TinyLFU", .dualWindow, optimum: 53.15),
        Cell("gli", 1_250, lru: 21.25, best: 52.54, "DWC", .dualWindow, optimum: 57.31),
        Cell("gli", 1_500, lru: 36.56, best: 53.64, "DWC", .dualWindow, optimum: 57.96),
        Cell("gli", 1_750, lru: 45.04, best: 55.89, "TinyLFU", .dualWindow, optimum: 57.96),
        Cell("gli", 2_000, lru: 57.41, best: 57.96, "TinyLFU", .dualWindow, optimum: 57.96),
        Cell("oltp", 560, lru: 24.71, best: 34.81, "Caffeine", .caffeine, optimum: 47.64),
        Cell("oltp", 1_868, lru: 41.63, best: 44.63, "Caffeine", .caffeine, optimum: 59.76),
        Cell("oltp", 5_606, lru: 54.98, best: 57.12, "Caffeine", .caffeine, optimum: 69.15),
        Cell("oltp", 18_688, lru: 66.52, best: 67.33, "Caffeine", .caffeine, optimum: 76.21),
        Cell("oltp", 37_376, lru: 71.97, best: 71.97, "LRU", .caffeine, optimum: 79.14),
        Cell("oltp", 74_752, lru: 77.04, best: 77.04, "LRU", .caffeine, optimum: 79.56),
        Cell("loop", 100, lru: 0, best: 9.6, "DWC", .dualWindow2022),
        Cell("loop", 250, lru: 0, best: 24, "DWC", .dualWindow2022),
        Cell("loop", 500, lru: 0, best: 48.86, "CLOCK-Pro", .caffeineClockPro),
        Cell("loop", 750, lru: 0, best: 70.5, "DWC", .dualWindow2022),
        Cell("loop", 1_000, lru: 0, best: 98.6, "DWC", .dualWindow2022),
        Cell("loop", 1_250, lru: 99.8, best: 99.8, "DWC", .dualWindow2022),
        Cell("loop", 404, lru: nil, best: 39.45, "Caffeine", .caffeine),
        Cell("loop", 512, lru: nil, best: 49.94, "W-TinyLFU", .caffeine),
        Cell("gli", 252, lru: nil, best: 14.55, "Caffeine", .caffeine),
        Cell("cs", 563, lru: nil, best: 33.42, "Caffeine", .caffeine),
        Cell("oltp", 2_048, lru: nil, best: 47.14, "Caffeine", .caffeine),
        Cell("oltp", 8_192, lru: nil, best: 61.06, "W-TinyLFU", .caffeine),
    ]

    static var byTrace: [(key: String, value: [Cell])] {
        Dictionary(grouping: cells, by: \.trace).sorted { $0.key < $1.key }
    }
}
