// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that users of the library and the normal build never see it. It compiles the library's
// sources again, through the link `Library`, because the targets look at what only the library's own package sees.
let package = Package(
    name: "paginator-fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CPaginatorAtomics", path: "Library/CPaginatorAtomics"),
        .target(name: "PaginatorCore", dependencies: ["CPaginatorAtomics"], path: "Library/PaginatorCore"),
        .target(name: "PaginatorStorage", dependencies: ["PaginatorCore"], path: "Library/PaginatorStorage"),
        .target(name: "PaginatorLists", dependencies: ["PaginatorCore"], path: "Library/PaginatorLists"),
        .target(name: "PaginatorHTTP", dependencies: ["PaginatorCore"], path: "Library/PaginatorHTTP"),
        .executableTarget(
            name: "PaginatorFuzz",
            dependencies: ["PaginatorCore", "PaginatorHTTP", "PaginatorLists", "PaginatorStorage"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // The targets look at internals, in optimized builds too.
        .unsafeFlags(["-enable-testing"]),
    ]
}
