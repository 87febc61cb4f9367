// swift-tools-version: 6.2

import PackageDescription

// What a user of the library has: an app's module, and its tests with the public test kit under both test libraries.
let package = Package(
    name: "TestKitUser",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "paginator", path: "../../..")],
    targets: [
        .target(
            name: "Notes",
            dependencies: [
                .product(name: "PaginatorCore", package: "paginator"),
                .product(name: "PaginatorLists", package: "paginator"),
                .product(name: "PaginatorStorage", package: "paginator"),
            ]),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes", .product(name: "PaginatorCore", package: "paginator"),
                .product(name: "PaginatorLists", package: "paginator"),
                .product(name: "PaginatorTesting", package: "paginator"),
            ]),
        .testTarget(
            name: "NotesXCTests",
            dependencies: [
                "Notes", .product(name: "PaginatorCore", package: "paginator"),
                .product(name: "PaginatorTesting", package: "paginator"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
