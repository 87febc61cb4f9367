// swift-tools-version: 6.2

import PackageDescription

/// Products of the library.
func paginator(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: "Paginator" + $0, package: "paginator") }
}

/// A program of docs/tutorials, or one as it is after a step.
func tutorial(_ name: String, _ products: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: products, path: "Tutorials/Sources/\(name)")
}

let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let openCombine = Target.Dependency.product(
    name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux]))

// Users of the library that depend on it by its path. They are one package, so that the library is built once for all of
// them. So all have both traits; that the library builds without one is proved by its own build and by OnePackage.
let package = Package(
    name: "Fixtures",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "paginator", path: "../..", traits: ["Inspector", "OpenCombine"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
    ],
    targets: [
        // A module with main-actor default isolation.
        .executableTarget(
            name: "MainActorApp", dependencies: paginator("Async", "Core", "HTTP", "Lists", "SQLiteStore"),
            path: "MainActorApp/Sources", swiftSettings: [.defaultIsolation(MainActor.self)]),

        // An app's module, and its tests with the public test kit under both test libraries.
        .target(name: "Notes", dependencies: paginator("Core", "Lists", "Storage"), path: "TestKitUser/Sources/Notes"),
        .testTarget(
            name: "NotesTests", dependencies: ["Notes"] + paginator("Core", "Lists", "Testing"),
            path: "TestKitUser/Tests/NotesTests"),
        .testTarget(
            name: "NotesXCTests", dependencies: ["Notes"] + paginator("Core", "Testing"),
            path: "TestKitUser/Tests/NotesXCTests"),

        // Publishers where the system has no Combine: the trait resolves OpenCombine.
        .testTarget(
            name: "CombineUserTests",
            dependencies: paginator("Combine", "Core", "Lists", "Testing") + [openCombine],
            path: "CombineUser/Tests/CombineUserTests"),

        // Three programs: an app's view models, a server before a slow API, and the tests of both.
        .target(
            name: "Browser", dependencies: paginator("Async", "Core", "HTTP", "Lists", "SQLiteStore", "UI"),
            path: "ThreeApps/Sources/Browser", swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(
            name: "Server", dependencies: paginator("Async", "Core", "HTTP", "SQLiteStore") + [flyingFox],
            path: "ThreeApps/Sources/Server"),
        .testTarget(
            name: "ThreeAppsTests",
            dependencies: ["Browser", "Server", flyingFox]
                + paginator("Core", "HTTP", "Lists", "SQLiteStore", "Testing"),
            path: "ThreeApps/Tests/ThreeAppsTests"),

        // What stands behind the trait Inspector: the command of scripts/inspect, and its tests.
        .executableTarget(name: "inspect", dependencies: paginator("Inspector"), path: "ThreeApps/Sources/Inspect"),
        .testTarget(
            name: "InspectorTests", dependencies: paginator("Core", "Inspector", "Testing") + [flyingSocks],
            path: "ThreeApps/Tests/InspectorTests"),

        // The programs of the tutorials, and what docs/moving shows of this library.
        tutorial("FirstList1", paginator("Async", "Core")),
        tutorial("FirstList2", paginator("Async", "Core", "Lists")),
        tutorial("FirstList3", paginator("Async", "Core", "Lists")),
        tutorial("FirstList", paginator("Async", "Core", "Lists")),
        tutorial("OfflineFeed", paginator("Async", "Core", "HTTP", "Lists", "SQLiteStore", "Testing")),
        tutorial("Chat", paginator("Async", "Core", "Lists")),
        .target(
            name: "Moving", dependencies: paginator("Async", "Core", "HTTP", "Lists", "SQLiteStore"),
            path: "Tutorials/Sources/Moving"),
        .testTarget(
            name: "TutorialsTests",
            dependencies: ["FirstList1", "FirstList2", "FirstList3", "FirstList", "OfflineFeed", "Chat", "Moving"],
            path: "Tutorials/Tests/TutorialsTests"),
    ],
    swiftLanguageModes: [.v6]
)
