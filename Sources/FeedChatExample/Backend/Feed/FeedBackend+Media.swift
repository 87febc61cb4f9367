import Foundation
import GRDB

// Images and segments of videos, created from their names, and uploads. Everybody who knows the path may read them, as
// on a CDN; the path of an upload is random.
extension FeedBackend {
    func addMediaRoutes(to routes: inout BackendRoutes) {
        routes.addOpen("GET /cdn/images/:name") { request in
            let sizes = [480: 320, 720: 480, 1_080: 720, 60: 40]
            let width = request.query["w"].map { Int($0) ?? 0 } ?? 480
            guard let height = sizes[width], let name = request.parameters["name"] else {
                throw BackendRefusal(404, "images are 480, 720 or 1080 wide, placeholders 60")
            }
            let image = SampleImage.png(seed: name, width: width, height: height)
            return BackendResponse(
                status: 200, headers: ["Content-Type": "image/png", "Cache-Control": "max-age=86400"], body: image)
        }
        routes.addOpen("GET /cdn/videos/:name/:quality/:segment") { request in
            let kilobytes = ["360p": 40, "720p": 120, "1080p": 240]
            guard let quality = request.parameters["quality"], let size = kilobytes[quality],
                let segment = request.parameters["segment"].flatMap({ Int($0) }), (0..<10).contains(segment)
            else { throw BackendRefusal(404, "videos have ten segments in 360p, 720p and 1080p") }
            let byte = UInt8(truncatingIfNeeded: segment)
            return BackendResponse(
                status: 200, headers: ["Content-Type": "video/mp2t", "Cache-Control": "max-age=86400"],
                body: Data(repeating: byte, count: size * 1_000))
        }
        routes.addOpen("GET /cdn/uploads/:name") { [self] request in
            let found = try await database.queue.read { db -> (isImage: Bool, content: Data)? in
                try Row.fetchOne(
                    db, sql: "SELECT type, content FROM upload WHERE path = ? AND length(content) = byteCount",
                    arguments: ["/cdn/uploads/\(request.parameters["name"] ?? "")"]
                ).map { ($0["type"] == "image", $0["content"]) }
            }
            guard let found else { throw BackendRefusal(404, "there is no such upload") }
            return BackendResponse(
                status: 200, headers: ["Content-Type": found.isImage ? "image/png" : "video/mp2t"],
                body: found.content)
        }
    }
}
