// swift-tools-version: 6.2

import PackageDescription

// What `scripts/check races` builds: the suites that let threads meet, and no more than they need, so that ThreadSanitizer
// can look at them with each change. The whole of the tests under it takes an hour.
let package = Package(
    name: "paginator-races",
    platforms: [.macOS(.v15)],
    targets: [
        .executableTarget(name: "Planted"),
        .target(name: "CPaginatorAtomics", path: "Library/CPaginatorAtomics"),
        .target(name: "PaginatorCore", dependencies: ["CPaginatorAtomics"], path: "Library/PaginatorCore"),
        .target(name: "PaginatorLists", dependencies: ["PaginatorCore"], path: "Library/PaginatorLists"),
        .target(name: "PaginatorStorage", dependencies: ["PaginatorCore"], path: "Library/PaginatorStorage"),
        .systemLibrary(name: "CSQLite", path: "Library/CSQLite", pkgConfig: "sqlite3"),
        .target(
            name: "PaginatorSQLiteStore",
            dependencies: [
                "PaginatorCore", "PaginatorStorage", .target(name: "CSQLite", condition: .when(platforms: [.linux])),
            ],
            path: "Library/PaginatorSQLiteStore"),
        .target(
            name: "PaginatorTesting", dependencies: ["PaginatorCore", "PaginatorLists"],
            path: "Library/PaginatorTesting"),
        .target(
            name: "PaginatorAsync", dependencies: ["PaginatorCore", "PaginatorLists"], path: "Library/PaginatorAsync"),
        .target(name: "PaginatorHTTP", dependencies: ["PaginatorCore"], path: "Library/PaginatorHTTP"),
        .target(name: "TestFolders", path: "Tests/TestFolders"),
        .target(
            name: "CTestVFS", dependencies: [.target(name: "CSQLite", condition: .when(platforms: [.linux]))],
            path: "Tests/CTestVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "StorageTesting", dependencies: ["PaginatorCore", "PaginatorStorage", "PaginatorTesting"],
            path: "Tests/StorageTesting"),
        .testTarget(
            name: "PaginatorCoreTests", dependencies: ["PaginatorCore", "PaginatorTesting"],
            path: "Tests/PaginatorCoreTests",
            sources: [
                "Caching/CacheConcurrencyTests.swift", "Caching/CacheFixtures.swift", "Caching/CacheReaderTests.swift",
                "Caching/PageCache+Invariants.swift", "Caching/PinRaceTests.swift",
                "Eviction/PaginatorEvictor+Invariants.swift",
                "Fetching/CallbackMailboxTests.swift", "Fetching/CallbackRacesTests.swift",
                "Fetching/FetchMachine+Text.swift", "Fetching/FetchRig+Callers.swift", "Fetching/FetchRig.swift",
                "Fetching/FetchStressTests.swift", "Fetching/MachineScript.swift",
                "Foundations/MachineDriverTests.swift", "Foundations/SerialMailboxTests.swift",
                "Observing/EventMailboxTests.swift", "Scheduling/RecordingSchedulerClient.swift",
                "Scheduling/SchedulerBench.swift",
                "Scheduling/SchedulerStatistics.swift", "Scheduling/SchedulerStressTests.swift",
            ]),
        .testTarget(
            name: "PaginatorListsTests", dependencies: ["PaginatorCore", "PaginatorLists", "PaginatorTesting"],
            path: "Tests/PaginatorListsTests", sources: ["Edits/EditThreadsTests.swift"]),
        .testTarget(
            name: "PaginatorAsyncTests",
            dependencies: ["PaginatorAsync", "PaginatorCore", "PaginatorLists", "PaginatorTesting"],
            path: "Tests/PaginatorAsyncTests",
            sources: [
                "AsyncCancellationTests.swift", "AsyncFetchTests.swift", "AsyncFixtures.swift",
                "FetchUpdatesTests.swift",
                "PushSourceTests.swift",
            ]),
        .testTarget(
            name: "PaginatorHTTPTests",
            dependencies: [
                "PaginatorAsync", "PaginatorCore", "PaginatorHTTP", "PaginatorLists", "PaginatorStorage",
                "PaginatorTesting", "StorageTesting",
            ],
            path: "Tests/PaginatorHTTPTests",
            sources: [
                "Network/NetworkTests.swift", "Streaming/StreamedTransferTests.swift", "Support",
                "Walking/ListWalking.swift",
            ]),
        .testTarget(
            name: "PaginatorStorageTests",
            dependencies: ["PaginatorCore", "PaginatorStorage", "PaginatorTesting", "StorageTesting"],
            path: "Tests/PaginatorStorageTests", sources: ["EditBesideReadsTests.swift"]),
        .testTarget(
            name: "PaginatorSQLiteStoreTests",
            dependencies: [
                "CTestVFS", "PaginatorCore", "PaginatorSQLiteStore", "PaginatorStorage", "PaginatorTesting",
                "StorageTesting", "TestFolders",
            ],
            path: "Tests/PaginatorSQLiteStoreTests",
            sources: ["PaginatorOnDiskTests.swift", "ReplacementRaceTests.swift", "Support"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
