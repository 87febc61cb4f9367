import Foundation
package import PaginatorInspectorPage

extension PageFiles {
    /// The page that shows the app in the browser.
    package static let app = PageFiles(in: .module)
}
