import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorTesting

let server = Server()
// The pages are saved in the folder `pages` of the current directory.
let folder = FileManager.default.currentDirectoryPath + "/pages"
// A switch instead of a real network; an app passes `SystemConnectivity()`.
let connectivity = ScriptedConnectivity(CommandLine.arguments.contains("offline") ? .offline : [])
let feed = try Feed(of: server, in: folder, connectivity: connectivity)

print("the first page:")
await after({ feed.list.loadNext() }, of: feed.list) { $0.status.hasLoaded || $0.status.refresh.error != nil }
draw(feed.list)
if feed.list.snapshot.isEmpty { exit(1) }

print("scrolled to the second one:")
await after({ feed.list.loadNext() }, of: feed.list) { $0.snapshot.count == 20 && !$0.status.next.isLoading }
draw(feed.list)

if connectivity.conditions == .offline {
    print("scrolled to the third one, which was never loaded:")
    await after({ feed.list.loadNext() }, of: feed.list) { $0.status.next.error != nil || $0.snapshot.count == 30 }
    draw(feed.list)

    print("the connection is back:")
    await after({ connectivity.set([]) }, of: feed.list) { $0.snapshot.count == 30 }
    draw(feed.list)

    print("a new post, and a pull to refresh:")
    await server.publish()
    try await feed.list.refreshAndWait()
    draw(feed.list)
}

// When this returns, the loaded pages are on disk. An app calls it when it enters the background.
try await feed.paginator.flush()
