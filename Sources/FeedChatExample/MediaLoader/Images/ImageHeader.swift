package import PaginatorStorage

/// The header in the first bytes of an image; other bytes are refused, whatever type the server states.
package struct ImageHeader: RawDecodable, Hashable {
    /// The format by its signature.
    package enum Format: Sendable, Hashable {
        case png, jpeg, gif, webp
    }

    package let format: Format
    /// Width and height in pixels, if the format has them at a fixed offset.
    package let size: Size?

    package struct Size: Sendable, Hashable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package init(rawBytes bytes: [UInt8]) throws {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: signature)
        }
        func number(_ offset: Int, _ count: Int, littleEndian: Bool = false) -> Int {
            let part = bytes[offset..<(offset + count)]
            return (littleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        if starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            format = .png
            let hasSize = bytes.count >= 24 && starts(Array("IHDR".utf8), at: 12)
            size = hasSize ? Size(width: number(16, 4), height: number(20, 4)) : nil
        } else if starts([0xff, 0xd8, 0xff]) {
            format = .jpeg
            size = nil
        } else if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) {
            format = .gif
            let hasSize = bytes.count >= 10
            size =
                hasSize
                ? Size(width: number(6, 2, littleEndian: true), height: number(8, 2, littleEndian: true)) : nil
        } else if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) {
            format = .webp
            size = nil
        } else {
            throw NotAnImage()
        }
    }

    /// The bytes are in no known format.
    package struct NotAnImage: Error {}
}

/// The unchanged bytes of an image, whose header is parsed on first use.
package typealias MediaItem = RawItem<ImageHeader>
