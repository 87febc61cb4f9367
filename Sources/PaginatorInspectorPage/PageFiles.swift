package import Foundation

/// The files of a page for a browser, in the folder `Page` of a target's resources.
package struct PageFiles: Sendable {
    /// A file and its media type.
    package struct File: Sendable {
        package let bytes: [UInt8]
        package let type: String
    }

    /// The page of ``/PaginatorInspector/PaginatorInspector``; `nil` if its files are missing.
    package static let inspector: PageFiles? = {
        #if canImport(Darwin)
            return PageFiles(in: .module)
        #else
            // Not `.module`, which ends the process where the executable was copied without its resources.
            let folder = Bundle.main.bundleURL.appendingPathComponent("paginator_PaginatorInspectorPage.resources")
            return Bundle(path: folder.path).map { PageFiles(in: $0) }
        #endif
    }()

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json", "woff2": "font/woff2",
    ]

    /// The files by path; no other path is served.
    private var names: [String: (url: URL, type: String)] = [:]

    package init(in bundle: Bundle) {
        guard let folder = bundle.url(forResource: "Page", withExtension: nil)?.standardizedFileURL,
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return }
        for case let file as URL in files {
            guard let type = Self.types[file.pathExtension] else { continue }
            names[String(file.standardizedFileURL.path.dropFirst(folder.path.count))] = (file, type)
        }
    }

    /// The file at the path of a URL, such as `/app.js`; `nil` if there is none.
    package func file(at path: String) throws -> File? {
        guard let name = names[path == "/" ? "/index.html" : path] else { return nil }
        return File(bytes: [UInt8](try Data(contentsOf: name.url)), type: name.type)
    }
}
