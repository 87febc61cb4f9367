import Foundation

/// The files of the page that shows the app in the browser.
package enum AppPageFiles {
    /// A file, and its type for browsers.
    package struct File: Sendable {
        package let bytes: [UInt8]
        package let type: String
    }

    /// The file at a path of an address, such as `/app.js`; `nil` where there is none.
    package static func file(at path: String) throws -> File? {
        guard let name = names[path == "/" ? "/index.html" : path] else { return nil }
        return File(bytes: [UInt8](try Data(contentsOf: name.url)), type: name.type)
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json", "woff2": "font/woff2",
    ]

    /// What there is, by its path: no other path leads to a file.
    private static let names: [String: (url: URL, type: String)] = {
        guard let folder = Bundle.module.url(forResource: "Page", withExtension: nil)?.standardizedFileURL,
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [:] }
        var names: [String: (url: URL, type: String)] = [:]
        for case let file as URL in files {
            guard let type = types[file.pathExtension] else { continue }
            names[String(file.standardizedFileURL.path.dropFirst(folder.path.count))] = (file, type)
        }
        return names
    }()
}
