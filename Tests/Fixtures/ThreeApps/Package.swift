// swift-tools-version: 6.2

import PackageDescription

/// A product of the library.
func paginator(_ name: String) -> Target.Dependency { .product(name: "Paginator" + name, package: "paginator") }

// Three programs as users of the library write them: an app's view models, a server before a slow API, and the tests of both.
// And what stands behind the trait Inspector: its tests, and the command of scripts/inspect.
let package = Package(
    name: "ThreeApps",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "paginator", path: "../../..", traits: ["Inspector"]),
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "Browser",
            dependencies: [
                paginator("Async"), paginator("Core"), paginator("HTTP"), paginator("SQLiteStore"), paginator("UI"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(
            name: "Server",
            dependencies: [
                paginator("Async"), paginator("Core"), paginator("HTTP"), paginator("SQLiteStore"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
        .executableTarget(name: "inspect", dependencies: [paginator("Inspector")], path: "Sources/Inspect"),
        .testTarget(
            name: "InspectorTests",
            dependencies: [
                paginator("Core"), paginator("Inspector"), paginator("Testing"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]),
        .testTarget(
            name: "ThreeAppsTests",
            dependencies: [
                "Browser", "Server", paginator("Core"), paginator("HTTP"), paginator("SQLiteStore"),
                paginator("Testing"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
