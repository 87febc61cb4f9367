// swift-tools-version: 6.2

import PackageDescription

// The library comes by its path: `Library` is a link to the sources beside this package, compiled here with the settings
// that they have there. As a dependency it would lend its products only, and the ready queue and the page file, which
// have goals too, are no API: `package` declarations end at the package. Nothing in the library is there for benchmarks.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
    ],
    targets: [
        .target(name: "CPaginatorAtomics", path: "Library/CPaginatorAtomics"),
        .target(name: "PaginatorCore", dependencies: ["CPaginatorAtomics"], path: "Library/PaginatorCore"),
        .target(name: "PaginatorLists", dependencies: ["PaginatorCore"], path: "Library/PaginatorLists"),
        .target(
            name: "PaginatorAsync", dependencies: ["PaginatorCore", "PaginatorLists"], path: "Library/PaginatorAsync"),
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
            name: "PaginatorInspector",
            dependencies: ["PaginatorCore", "PaginatorLists", "PaginatorStorage", "PaginatorTesting"],
            path: "Library/PaginatorInspector"),
        // SQLite by its C API alone: the floor of the disk rows.
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CBaseline", "PaginatorAsync", "PaginatorCore", "PaginatorInspector", "PaginatorLists",
                "PaginatorSQLiteStore",
                "PaginatorStorage", "PaginatorTesting",
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
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
