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
    "EveryTrait": [
        "Async", "Combine", "Core", "HTTP", "Inspector", "Lists", "SQLiteStore", "Storage", "Testing", "UI",
    ],
]
var dependencies: [Target.Dependency] = (products[consumer] ?? []).map {
    .product(name: "Paginator" + $0, package: identity)
}
var packages: [Package.Dependency] = [.package(url: url, from: "1.0.0")]

// What the traits of the library connect it to; this consumer uses each of them itself.
if consumer == "EveryTrait" {
    packages = [
        .package(url: url, from: "1.0.0", traits: ["Inspector", "OpenCombine", "SwiftLog", "SwiftMetrics"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
    ]
    dependencies += [
        .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
    ]
}

let package = Package(
    name: "Consumers",
    platforms: [.macOS(.v15)],
    dependencies: packages,
    targets: [
        consumer.hasPrefix("With")
            ? .testTarget(name: consumer, dependencies: dependencies)
            : .executableTarget(name: consumer, dependencies: dependencies)
    ],
    swiftLanguageModes: [.v6]
)
