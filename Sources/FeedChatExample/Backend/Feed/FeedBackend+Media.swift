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

/// Images that are made from a name: PNG, ISO 15948, with one bit a pixel and two colors.
package enum SampleImage {
    /// Makes an image: a band of light whose place and colors the name decides. The same name and size always give the same
    /// bytes.
    ///
    /// Complexity: O(width × height).
    package static func png(seed: String, width: Int, height: Int) -> Data {
        var random = SeededNumbers(
            seed: seed.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
        let (dark, light) = colors[random.below(colors.count)]
        let middle = 4 + random.below(9)
        // Two names hardly ever give the same image.
        let tint = UInt32(random.below(1 << 12))
        let tinted = dark + ((tint >> 8) << 16 | ((tint >> 4) & 15) << 8 | (tint & 15))
        let rowBytes = (width + 7) / 8
        var rows: [UInt8] = []
        rows.reserveCapacity((rowBytes + 1) * height)
        for y in 0..<height {
            rows.append(0)
            let shade = shades[min(abs(y * 16 / height - middle), shades.count - 1)]
            // Turned from row to row, so that the light pixels are spread.
            let turn = y * 3 % 8
            rows.append(contentsOf: repeatElement(shade << turn | shade >> (8 - turn), count: rowBytes))
        }
        var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        append("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [1, 3, 0, 0, 0], to: &png)
        append("PLTE", [tinted, light].flatMap { bigEndian($0).dropFirst() }, to: &png)
        append("IDAT", stored(rows), to: &png)
        append("IEND", [], to: &png)
        return Data(png)
    }

    /// Which of eight pixels in a row are light, from all to none.
    private static let shades: [UInt8] = [0xff, 0xfe, 0xbb, 0xb5, 0xaa, 0x92, 0x88, 0x80, 0x00]

    /// What is dark and what is light, as red, green and blue.
    private static let colors: [(dark: UInt32, light: UInt32)] = [
        (0x1b3a5c, 0xffd9a0), (0x3d2c5e, 0xffb7c5), (0x0f4c4a, 0xd9f2c4), (0x5a2a27, 0xffe3b3), (0x22335f, 0xa7d8f0),
        (0x2f4a22, 0xf3e9a6),
    ]

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
