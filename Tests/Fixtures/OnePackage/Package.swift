// swift-tools-version: 6.2

import PackageDescription

// scripts/test says where a clone of the library with a version tag is.
let url = Context.environment["PAGINATOR_URL"] ?? "https://github.com/example/paginator.git"
let traits = Set(
    (Context.environment["PAGINATOR_TRAITS"] ?? "").split(separator: ",").map {
        Package.Dependency.Trait(stringLiteral: String($0))
    })
let product = Context.environment["PAGINATOR_PRODUCT"] ?? "PaginatorCore"
let identity = url.split(separator: "/").last.map { $0.hasSuffix(".git") ? $0.dropLast(4) : $0 } ?? ""

let package = Package(
    name: "OnePackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: url, from: "1.0.0", traits: traits)],
    targets: [
        .executableTarget(
            name: "OnePackage",
            dependencies: [.product(name: product, package: String(identity))],
            path: "Sources")
    ]
)
