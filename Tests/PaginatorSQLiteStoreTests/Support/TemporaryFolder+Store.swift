import Foundation
import TestFolders

extension TemporaryFolder {
    /// Where a test's store is.
    var file: String { path + "/pages.sqlite" }

    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
