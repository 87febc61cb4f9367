// swift-tools-version: 6.2

import PackageDescription

// Apple asks whoever looks at facts of files to say why. Elsewhere that would only make a bundle of resources.
#if os(macOS)
    let (storeResources, storeExclusions): ([Resource], [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#else
    let (storeResources, storeExclusions): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
    name: "paginator",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "PaginatorCore", targets: ["PaginatorCore"]),
        .library(name: "PaginatorAsync", targets: ["PaginatorAsync"]),
        .library(name: "PaginatorCombine", targets: ["PaginatorCombine"]),
        .library(name: "PaginatorHTTP", targets: ["PaginatorHTTP"]),
        .library(name: "PaginatorInspector", targets: ["PaginatorInspector"]),
        .library(name: "PaginatorLists", targets: ["PaginatorLists"]),
        .library(name: "PaginatorSQLiteStore", targets: ["PaginatorSQLiteStore"]),
        .library(name: "PaginatorStorage", targets: ["PaginatorStorage"]),
        .library(name: "PaginatorTesting", targets: ["PaginatorTesting"]),
        .library(name: "PaginatorUI", targets: ["PaginatorUI"]),
        // FeedChatExample is not declared: SwiftPM resolves what declared products need for everybody, and leaves out
        // what only an undeclared executable needs. `swift run FeedChatExample` works all the same.
    ],
    // None is on by default, and a package behind a trait that is off is not resolved.
    traits: [
        .trait(
            name: "Inspector", description: "PaginatorInspector serves a page that shows in the browser what happens."),
        .trait(name: "OpenCombine", description: "PaginatorCombine publishes where the system has no Combine."),
        .trait(name: "SwiftLog", description: "PaginatorLogger can write to a logger of swift-log."),
        .trait(name: "SwiftMetrics", description: "PaginatorMetrics reports to the metrics system of swift-metrics."),
    ],
    dependencies: [
        // Behind the traits OpenCombine, SwiftLog and SwiftMetrics. A minor version before 1.0 may break its users.
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", .upToNextMinor(from: "0.14.0")),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        // Behind the trait Inspector, and used by FeedChatExample.
        .package(url: "https://github.com/swhitty/FlyingFox.git", .upToNextMinor(from: "0.27.1")),
        // Used by FeedChatExample's targets alone; who depends on a library product resolves none of them.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        .target(name: "PaginatorCore", dependencies: ["CPaginatorAtomics"]),
        // C's atomics: those of the standard library need newer systems.
        .target(name: "CPaginatorAtomics"),
        .target(name: "PaginatorLists", dependencies: ["PaginatorCore"]),
        .target(
            name: "PaginatorAsync",
            dependencies: [
                "PaginatorCore", "PaginatorLists",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["SwiftMetrics"])),
            ]),
        .target(
            name: "PaginatorCombine",
            dependencies: [
                "PaginatorCore", "PaginatorLists",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ]),
        .target(name: "PaginatorHTTP", dependencies: ["PaginatorCore"]),
        .target(
            name: "PaginatorInspector",
            dependencies: [
                "PaginatorCore", "PaginatorLists", "PaginatorStorage", "PaginatorTesting",
                .target(name: "PaginatorInspectorPage", condition: .when(traits: ["Inspector"])),
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Inspector"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Inspector"])),
            ]),
        // What the browser shows.
        .target(name: "PaginatorInspectorPage", resources: [.copy("Page")]),
        .target(name: "PaginatorStorage", dependencies: ["PaginatorCore"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "PaginatorSQLiteStore",
            dependencies: [
                "PaginatorCore", "PaginatorStorage", .target(name: "CSQLite", condition: .when(platforms: [.linux])),
            ],
            exclude: storeExclusions, resources: storeResources),
        .target(name: "PaginatorTesting", dependencies: ["PaginatorCore", "PaginatorLists"]),
        .target(name: "PaginatorUI", dependencies: ["PaginatorAsync", "PaginatorCore", "PaginatorLists"]),
        // What the feed and the chat of the example share; a product has none of it.
        .target(
            name: "AppFoundation",
            dependencies: ["PaginatorCore", .product(name: "GRDB", package: "GRDB.swift")],
            path: "Sources/FeedChatExample/AppFoundation"),
        // The example's embedded backend; a product has none of it.
        .target(
            name: "ExampleBackend",
            dependencies: [
                "ChatWire", "PaginatorCore", "RichText",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/FeedChatExample/Backend"),
        .systemLibrary(
            name: "CLibXML2", path: "Sources/FeedChatExample/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
        .target(
            name: "RichText", dependencies: [.target(name: "CLibXML2", condition: .when(platforms: [.linux]))],
            path: "Sources/FeedChatExample/RichText"),
        .target(
            name: "MediaLoader",
            dependencies: [
                "AppFoundation", "PaginatorAsync", "PaginatorCore", "PaginatorSQLiteStore", "PaginatorStorage",
            ],
            path: "Sources/FeedChatExample/MediaLoader"),
        // The example's client of the feed.
        .target(
            name: "FeedClient",
            dependencies: [
                "AppFoundation", "MediaLoader", "PaginatorAsync", "PaginatorCore", "PaginatorHTTP", "PaginatorLists",
                "PaginatorSQLiteStore", "RichText",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/FeedChatExample/FeedClient"),
        // What chat client and server say to each other.
        .target(name: "ChatWire", path: "Sources/FeedChatExample/ChatWire"),
        // The chat: its database, its socket and its screens' state.
        .target(
            name: "ChatClient",
            dependencies: [
                "AppFoundation", "ChatWire", "MediaLoader", "PaginatorCore", "PaginatorHTTP", "PaginatorLists",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/FeedChatExample/ChatClient"),
        // Kills clients of the feed at random, for a command and for tests.
        .target(
            name: "FeedSoak", dependencies: ["ExampleBackend", "PaginatorCore"],
            path: "Sources/FeedChatExample/Soak"),
        // What the browser shows of the app.
        .target(
            name: "AppPage", dependencies: ["PaginatorInspectorPage"], path: "Sources/FeedChatExample/AppPage",
            resources: [.copy("Page")]),
        .executableTarget(
            name: "FeedChatExample",
            dependencies: [
                "AppFoundation", "AppPage", "ChatClient", "ChatWire", "ExampleBackend", "FeedClient", "FeedSoak",
                "MediaLoader", "PaginatorAsync", "PaginatorCore", "PaginatorInspectorPage", "PaginatorLists",
                "PaginatorSQLiteStore", "PaginatorStorage", "RichText",
                .target(name: "PaginatorInspector", condition: .when(traits: ["Inspector"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ],
            path: "Sources/FeedChatExample/App"),
        .target(name: "TestFolders", path: "Tests/TestFolders"),
        // What the tests against models share: dice, a clock, findings.
        .target(name: "Oracles", dependencies: ["PaginatorCore"], path: "Tests/Oracles"),
        // Page files for tests.
        .target(
            name: "StorageTesting", dependencies: ["PaginatorCore", "PaginatorStorage", "PaginatorTesting"],
            path: "Tests/StorageTesting"),
        .testTarget(
            name: "PaginatorStorageTests",
            dependencies: ["Oracles", "PaginatorCore", "PaginatorStorage", "PaginatorTesting", "StorageTesting"]),
        .testTarget(name: "PaginatorCoreTests", dependencies: ["Oracles", "PaginatorCore", "PaginatorTesting"]),
        .testTarget(
            name: "PaginatorListsTests",
            dependencies: ["Oracles", "PaginatorCore", "PaginatorLists", "PaginatorTesting"]),
        .testTarget(
            name: "PaginatorHTTPTests",
            dependencies: [
                "PaginatorAsync", "PaginatorCore", "PaginatorHTTP", "PaginatorLists", "PaginatorStorage",
                "PaginatorTesting", "StorageTesting",
            ]),
        .testTarget(
            name: "PaginatorAsyncTests",
            dependencies: [
                "PaginatorAsync", "PaginatorCore", "PaginatorLists", "PaginatorStorage", "PaginatorTesting",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["SwiftMetrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["SwiftMetrics"])),
            ]),
        .testTarget(
            name: "PaginatorSQLiteStoreTests",
            dependencies: [
                "CTestVFS", "PaginatorCore", "PaginatorSQLiteStore", "PaginatorStorage", "PaginatorTesting",
                "StorageTesting", "StoreTestChild", "TestFolders",
            ]),
        // A VFS that fails on demand, and the other process of the store's tests.
        .target(
            name: "CTestVFS", dependencies: [.target(name: "CSQLite", condition: .when(platforms: [.linux]))],
            path: "Tests/CTestVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "StoreTestChild",
            dependencies: [
                "PaginatorCore", "PaginatorSQLiteStore", "PaginatorStorage", "PaginatorTesting",
                .target(name: "CSQLite", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/StoreTestChild"),
        // A simulated world around the library, and the command that runs it.
        .target(
            name: "PaginatorSimulation",
            dependencies: [
                "PaginatorCore", "PaginatorInspector", "PaginatorLists", "PaginatorStorage", "PaginatorTesting",
                "StorageTesting",
            ],
            path: "Tests/Simulation/World"),
        .executableTarget(
            name: "simulate", dependencies: ["PaginatorInspector", "PaginatorSimulation"],
            path: "Tests/Simulation/Command"),
        .testTarget(
            name: "PaginatorSimulationTests",
            dependencies: [
                "PaginatorCore", "PaginatorInspector", "PaginatorSimulation", "PaginatorStorage", "PaginatorTesting",
                "simulate",
            ]),
        // Lives with the library for some minutes and watches the memory: scripts/soak.
        .executableTarget(
            name: "soak",
            dependencies: ["PaginatorCore", "PaginatorLists", "PaginatorSQLiteStore", "PaginatorTesting"],
            path: "Tests/Soak"),
        .testTarget(
            name: "PaginatorInspectorTests",
            dependencies: [
                "PaginatorCore", "PaginatorInspector", "PaginatorLists", "PaginatorStorage", "PaginatorTesting",
                "StorageTesting",
            ]),
        .testTarget(
            name: "PaginatorTestingTests", dependencies: ["PaginatorCore", "PaginatorLists", "PaginatorTesting"]),
        .testTarget(
            name: "PaginatorUITests",
            dependencies: ["PaginatorAsync", "PaginatorCore", "PaginatorLists", "PaginatorTesting", "PaginatorUI"]),
        .testTarget(name: "RichTextTests", dependencies: ["PaginatorTesting", "RichText"]),
        .testTarget(
            name: "MediaLoaderTests",
            dependencies: [
                "AppFoundation", "ExampleBackend", "MediaLoader", "PaginatorCore", "PaginatorStorage",
                "PaginatorTesting",
                "TestFolders",
            ]),
        .testTarget(
            name: "AppFoundationTests",
            dependencies: [
                "AppFoundation", "PaginatorCore", "PaginatorTesting", "TestFolders",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "ExampleBackendTests",
            dependencies: [
                "ExampleBackend", "PaginatorCore", "TestFolders",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "FeedClientTests",
            dependencies: [
                "AppFoundation", "ChatClient", "ExampleBackend", "FeedChatExample", "FeedClient", "FeedSoak",
                "MediaLoader", "PaginatorAsync", "PaginatorCore", "PaginatorLists", "RichText", "TestFolders",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "AppServerTests",
            dependencies: [
                "ChatClient", "ExampleBackend", "FeedChatExample", "FeedClient", "FeedSoak", "PaginatorCore",
                "RichText",
                "TestFolders",
            ]),
        .testTarget(
            name: "ChatClientTests",
            dependencies: [
                "AppFoundation", "ChatClient", "ChatWire", "ExampleBackend", "MediaLoader", "PaginatorCore",
                "PaginatorLists", "PaginatorStorage", "PaginatorTesting", "TestFolders",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Every Swift target is compiled with the same settings.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Its unsafe code is in one folder, and says where it is.
for target in package.targets where target.name == "PaginatorCore" {
    target.swiftSettings?.append(.strictMemorySafety())
}
