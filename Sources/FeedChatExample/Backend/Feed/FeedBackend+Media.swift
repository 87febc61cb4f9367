package import Foundation
import GRDB

// Images and segments of videos, made from their names; and what was uploaded. Everybody who knows the
// path may read them, as on a CDN; that of an upload is random.
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

/// Images that are made from a name: PNG, ISO 15948, with one bit a pixel.
package enum SampleImage {
    /// Makes an image: bars whose places the name decides. The same name and size always give the same bytes.
    ///
    /// Complexity: O(width × height).
    package static func png(seed: String, width: Int, height: Int) -> Data {
        var random = SeededNumbers(
            seed: seed.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
        let bars = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }
        let rowBytes = (width + 7) / 8
        var rows: [UInt8] = []
        rows.reserveCapacity((rowBytes + 1) * height)
        for y in 0..<height {
            rows.append(0)
            rows.append(contentsOf: repeatElement(bars[y * 8 / height], count: rowBytes))
        }
        var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        append("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [1, 0, 0, 0, 0], to: &png)
        append("IDAT", stored(rows), to: &png)
        append("IEND", [], to: &png)
        return Data(png)
    }

    /// The ZLIB format, RFC 1950, with stored blocks, RFC 1951, section 3.2.4.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65_535)
            let count = UInt16(end - start)
            out += [
                end == bytes.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255),
                UInt8(~count >> 8),
            ]
            out += bytes[start..<end]
            start = end
        } while start < bytes.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + bigEndian(high << 16 | low)
    }

    private static func append(_ type: String, _ content: [UInt8], to png: inout [UInt8]) {
        let chunk = Array(type.utf8) + content
        var sum = UInt32.max
        for byte in chunk { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
        png += bigEndian(UInt32(content.count)) + chunk + bigEndian(~sum)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
