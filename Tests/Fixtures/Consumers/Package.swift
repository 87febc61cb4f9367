// swift-tools-version: 6.2

import PackageDescription

// Users of a release, one at a time: scripts/consumers says which, and where a clone with a version tag is.
let consumer = Context.environment["CONSUMER"] ?? "Core"
let url = Context.environment["PAGINATOR_URL"] ?? "https://github.com/example/paginator.git"
let identity = String(url.split(separator: "/").last ?? "").replacing(".git", with: "")

let products: [String: [String]] = [
    "Core": ["Core"], "CoreAndAsync": ["Core", "Async"], "Store": ["Core", "SQLiteStore"], "HTTP": ["Core", "HTTP"],
    "Lists": ["Core", "Lists"], "Inspector": ["Core", "Inspector"],
    "WithTesting": ["Core", "Testing"], "WithXCTest": ["Core", "Testing"],
]
let dependencies: [Target.Dependency] = (products[consumer] ?? []).map {
    .product(name: "Paginator" + $0, package: identity)
}

let package = Package(
    name: "Consumers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: url, from: "1.0.0")],
    targets: [
        consumer.hasPrefix("With")
            ? .testTarget(name: consumer, dependencies: dependencies)
            : .executableTarget(name: consumer, dependencies: dependencies)
    ],
    swiftLanguageModes: [.v6]
)
