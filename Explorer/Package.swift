// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that users of the library and the normal build never see it. It compiles the library's own
// sources, through the links `Library`, except for two files: the lock and the atomic word, which here let a scheduler
// decide who goes on. So the library has no line of code for this.
let package = Package(
    name: "paginator-explorer",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CPaginatorAtomics", path: "Library/CPaginatorAtomics"),
        .target(name: "CExplorer"),
        .target(
            name: "PaginatorCore", dependencies: ["CExplorer", "CPaginatorAtomics"],
            exclude: ["Library/Foundations/Unsafe/AtomicWord.swift", "Library/Foundations/Unsafe/Lock.swift"]),
        .target(name: "PaginatorStorage", dependencies: ["PaginatorCore"], path: "Library/PaginatorStorage"),
        // Only what needs no SQLite, whose own locks the explorer does not see.
        .target(name: "PaginatorSQLiteStore", dependencies: ["PaginatorCore"]),
        // A page file in memory, of the library's tests.
        .target(
            name: "StorageTesting", dependencies: ["PaginatorCore", "PaginatorStorage"], path: "Tests/StorageTesting",
            exclude: ["PageFileContract.swift", "WaitFor.swift", "WriteBehindConfig+Simulation.swift"]),
        .executableTarget(
            name: "Explore",
            dependencies: ["CExplorer", "PaginatorCore", "PaginatorStorage", "PaginatorSQLiteStore", "StorageTesting"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // The programs look at internals, in optimized builds too.
        .unsafeFlags(["-enable-testing"]),
    ]
}
