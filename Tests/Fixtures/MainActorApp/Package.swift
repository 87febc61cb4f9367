// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "MainActorApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "paginator", path: "../../..")],
    targets: [
        .executableTarget(
            name: "MainActorApp",
            dependencies: [.product(name: "PaginatorCore", package: "paginator")],
            path: "Sources",
            swiftSettings: [.defaultIsolation(MainActor.self)])
    ],
    swiftLanguageModes: [.v6]
)
