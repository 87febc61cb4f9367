// swift-tools-version: 6.2

import PackageDescription

// Users of a release, one at a time: scripts/consumers says which, and where a clone with a version tag is.
let consumer = Context.environment["CONSUMER"] ?? "Core"
let url = Context.environment["PAGINATOR_URL"] ?? "https://github.com/example/paginator.git"
let identity = String(url.split(separator: "/").last ?? "").replacing(".git", with: "")
let traits: Set<Package.Dependency.Trait> = ["OpenCombine", "SwiftLog", "SwiftMetrics"]

let products: [String: [String]] = [
    "Core": ["Core"], "CoreAndAsync": ["Core", "Async"], "Store": ["Core", "SQLiteStore"], "HTTP": ["Core", "HTTP"],
    "Traits": ["Core", "Async", "Combine"], "WithTesting": ["Core", "Testing"], "WithXCTest": ["Core", "Testing"],
]
let dependencies: [Target.Dependency] = (products[consumer] ?? []).map {
    .product(name: "Paginator" + $0, package: identity)
}

let package = Package(
    name: "Consumers",
    platforms: [.macOS(.v15)],
    dependencies: [
        consumer == "Traits"
            ? .package(url: url, from: "1.0.0", traits: traits) : .package(url: url, from: "1.0.0")
    ],
    targets: [
        consumer.hasPrefix("With")
            ? .testTarget(name: consumer, dependencies: dependencies)
            : .executableTarget(name: consumer, dependencies: dependencies)
    ],
    swiftLanguageModes: [.v6]
)

if consumer == "Traits" {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ]
    package.targets[0].dependencies += [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
    ]
}
