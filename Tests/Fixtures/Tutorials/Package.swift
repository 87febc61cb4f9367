// swift-tools-version: 6.2

import PackageDescription

/// A product of the library.
func paginator(_ name: String) -> Target.Dependency { .product(name: "Paginator" + name, package: "paginator") }

/// A program of a tutorial.
func program(_ name: String, _ products: String...) -> Target {
    .executableTarget(name: name, dependencies: products.map(paginator))
}

// The programs of docs/tutorials, the first one as it is after each of its steps, and what docs/moving shows of this library.
let package = Package(
    name: "Tutorials",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "paginator", path: "../../..")],
    targets: [
        program("FirstList1", "Async", "Core"),
        program("FirstList2", "Async", "Core", "Lists"),
        program("FirstList3", "Async", "Core", "Lists"),
        program("FirstList", "Async", "Core", "Lists"),
        program("OfflineFeed", "Async", "Core", "HTTP", "Lists", "SQLiteStore", "Testing"),
        program("Chat", "Async", "Core", "Lists"),
        .target(
            name: "Moving",
            dependencies: ["Async", "Core", "HTTP", "Lists", "SQLiteStore"].map(paginator)),
        .testTarget(
            name: "TutorialsTests",
            dependencies: ["FirstList1", "FirstList2", "FirstList3", "FirstList", "OfflineFeed", "Chat", "Moving"]),
    ],
    swiftLanguageModes: [.v6]
)
