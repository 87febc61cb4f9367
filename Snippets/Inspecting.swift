// See what a paginator does: record it, force an error, and read what happened.
import Foundation
import PaginatorCore
import PaginatorInspector
import PaginatorTesting

// In an app: one inspector, to which you attach paginators where you create them.
let inspector = PaginatorInspector()
let faults = PaginatorInspectorFaults()
var config = PaginatorConfig()
config.connectivity = faults.connectivity
let feed = CallbackPaginator(dataSource: faults.around(SampleServer(SamplePages(count: 100))), config: config)
let attachment = inspector.attach(feed, name: "Feed", faults: faults)

feed.fetch(key: "0", pageSize: 20) { _ in
    feed.fetch(key: "0", pageSize: 20) { _ in
        // For a bug report: keys are hashed, unless you pass `withKeys: true`.
        let recording = inspector.recording()
        let folder = FileManager.default.temporaryDirectory
        do {
            try recording.write(to: folder.appendingPathComponent("feed.pagrec"))
            try recording.chromeTrace().write(to: folder.appendingPathComponent("feed.json"))
        } catch {
            print("not saved: \(error)")
        }
        print(recording.text(withKeys: true))
        attachment.detach()
        exit(0)
    }
}
dispatchMain()
