// swift-tools-version: 6.2

import PackageDescription

// Publishers where the system has no Combine: the trait resolves OpenCombine.
let package = Package(
    name: "CombineUser",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "paginator", path: "../../..", traits: ["OpenCombine"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .testTarget(
            name: "CombineUserTests",
            dependencies: [
                .product(name: "PaginatorCombine", package: "paginator"),
                .product(name: "PaginatorCore", package: "paginator"),
                .product(name: "PaginatorLists", package: "paginator"),
                .product(name: "PaginatorTesting", package: "paginator"),
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
            ])
    ],
    swiftLanguageModes: [.v6]
)
