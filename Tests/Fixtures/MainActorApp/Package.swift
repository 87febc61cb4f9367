// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "MainActorApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "paginator", path: "../../..")],
    targets: [
        .executableTarget(
            name: "MainActorApp",
            dependencies: [
                .product(name: "PaginatorAsync", package: "paginator"),
                .product(name: "PaginatorCore", package: "paginator"),
                .product(name: "PaginatorHTTP", package: "paginator"),
                .product(name: "PaginatorLists", package: "paginator"),
                .product(name: "PaginatorSQLiteStore", package: "paginator"),
            ],
            path: "Sources",
            swiftSettings: [.defaultIsolation(MainActor.self)])
    ],
    swiftLanguageModes: [.v6]
)
