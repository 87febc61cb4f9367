package import Foundation

/// Images created from a name: PNG, ISO 15948, with a palette of at most 256 colors.
package enum SampleImage {
    /// Creates an image: a place, or a person if the name begins with `avatar-`. The same name and size always give the
    /// same bytes, and all sizes of a name show the same picture.
    ///
    /// Complexity: O(height × shapes), independent of the number of pixels.
    package static func png(seed: String, width: Int, height: Int) -> Data {
        let scene = SampleScene(seed)
        let sky = (0..<skySteps).map { scene.top + (scene.horizon - scene.top) * Double($0) / Double(skySteps - 1) }
        var data = Deflated()
        for y in 0..<height {
            data.append(0, count: 1)
            for run in runs(of: scene, row: y, width: width, height: height) {
                data.append(run.color, count: run.count)
            }
        }
        var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        append("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 3, 0, 0, 0], to: &png)
        append("PLTE", (sky + scene.shapes.map(\.color)).flatMap(bytes), to: &png)
        append("IDAT", data.end(), to: &png)
        append("IEND", [], to: &png)
        return Data(png)
    }

    private static let skySteps = 64

    private static func bytes(_ color: SampleScene.Color) -> [UInt8] {
        [color.x, color.y, color.z].map { UInt8(min(max($0, 0), 1) * 255) }
    }

    /// Returns the pixels of a row, as runs of one color.
    private static func runs(
        of scene: SampleScene, row: Int, width: Int, height: Int
    ) -> [(color: UInt8, count: Int)] {
        let y = (Double(row) + 0.5) / Double(height)
        // From the middle on, the sky has the color of its horizon.
        let sky = UInt8(min(Int(y * 2 * Double(skySteps)), skySteps - 1))
        var (pixels, cuts) = ([UInt8](repeating: sky, count: width), [0, width])
        for (index, part) in scene.shapes.enumerated() {
            guard let span = part.shape.span(at: y) else { continue }
            let place = { (x: Double) in Int((min(max(x, 0), 1.5) / 1.5 * Double(width)).rounded()) }
            let (start, end) = (place(span.lowerBound), place(span.upperBound))
            guard start < end else { continue }
            pixels.withUnsafeMutableBufferPointer { pixels in
                pixels[start..<end].update(repeating: UInt8(skySteps + index))
            }
            cuts += [start, end]
        }
        cuts.sort()
        return zip(cuts, cuts.dropFirst()).compactMap { $0 < $1 ? (pixels[$0], $1 - $0) : nil }
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

    fileprivate static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The ZLIB format, RFC 1950, for runs of equal bytes: fixed codes, RFC 1951, section 3.2.6, and repetitions of the
/// last byte.
private struct Deflated {
    private var bytes: [UInt8] = [0x78, 0x01]
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// Adler-32, RFC 1950, section 8.2.
    private var (low, high): (UInt64, UInt64) = (1, 0)

    init() { put(0b011, 3) }

    mutating func append(_ byte: UInt8, count: Int) {
        let (number, value) = (UInt64(count), UInt64(byte))
        high = (high + number * low + value * number * (number + 1) / 2) % 65_521
        low = (low + number * value) % 65_521
        putSymbol(Int(byte))
        var rest = count - 1
        while rest >= 3 {
            let length = min(rest, 258)
            putLength(length)
            put(0, 5)
            rest -= length
        }
        for _ in 0..<rest { putSymbol(Int(byte)) }
    }

    /// Ends the stream, and returns it.
    mutating func end() -> [UInt8] {
        putSymbol(256)
        if bitCount > 0 { put(0, 8 - bitCount) }
        return bytes + SampleImage.bigEndian(UInt32(high << 16 | low))
    }

    private mutating func putLength(_ length: Int) {
        let value = length - 3
        if length == 258 {
            putSymbol(285)
        } else if value < 8 {
            putSymbol(257 + value)
        } else {
            let extra = (Int.bitWidth - value.leadingZeroBitCount) - 3
            putSymbol(265 + 4 * (extra - 1) + (value >> extra) - 4)
            put(UInt64(value & (1 << extra - 1)), extra)
        }
    }

    private mutating func putSymbol(_ symbol: Int) {
        switch symbol {
        case 0...143: putCode(0x30 + symbol, 8)
        case 144...255: putCode(0x190 + symbol - 144, 9)
        case 256...279: putCode(symbol - 256, 7)
        default: putCode(0xc0 + symbol - 280, 8)
        }
    }

    /// Codes begin with their highest bit, numbers with their lowest.
    private mutating func putCode(_ code: Int, _ count: Int) {
        var reversed: UInt64 = 0
        for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
        put(reversed, count)
    }

    private mutating func put(_ value: UInt64, _ count: Int) {
        bits |= value << bitCount
        bitCount += count
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}
