package import Foundation

/// A folder of a test that goes with its last reference, or with the process.
package final class TemporaryFolder: Sendable {
    /// The folder of all folders of this process, which goes when the process ends by itself.
    package static let root: URL = {
        atexit {
            // What is left of a test is the system's to remove.
            try? FileManager.default.removeItem(at: TemporaryFolder.root)
        }
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("paginator-tests-\(ProcessInfo.processInfo.processIdentifier)")
    }()

    package let url: URL

    package init() {
        url = Self.root.appendingPathComponent(UUID().uuidString)
        // swift-format-ignore: NeverUseForceTry
        try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What is left of a test is the system's to remove.
        try? FileManager.default.removeItem(at: url)
    }

    package var path: String { url.path }
}
