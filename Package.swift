// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "paginator",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PaginatorCore", targets: ["PaginatorCore"]),
        .library(name: "PaginatorTesting", targets: ["PaginatorTesting"]),
    ],
    targets: [
        .target(name: "PaginatorCore"),
        .target(name: "PaginatorTesting", dependencies: ["PaginatorCore"]),
        .testTarget(name: "PaginatorCoreTests", dependencies: ["PaginatorCore", "PaginatorTesting"]),
        .testTarget(name: "PaginatorTestingTests", dependencies: ["PaginatorCore", "PaginatorTesting"]),
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
