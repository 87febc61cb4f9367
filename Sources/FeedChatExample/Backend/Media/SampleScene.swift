import Foundation

/// A picture of simple shapes in front of a sky, created from a name. The unit of length is the height of the picture,
/// whose width is 1.5; the upper left corner is at 0, 0.
struct SampleScene {
    /// A shape that covers one interval of each row.
    enum Shape {
        case ellipse(x: Double, y: Double, width: Double, height: Double)
        /// From its apex at the top to its base.
        case triangle(x: Double, top: Double, bottom: Double, width: Double)
        case rectangle(x: Double, y: Double, width: Double, height: Double)

        /// Returns the covered interval of a row; `nil` if there is none.
        func span(at row: Double) -> ClosedRange<Double>? {
            switch self {
            case .ellipse(let x, let y, let width, let height):
                let part = 1 - (row - y) * (row - y) / (height * height / 4)
                guard part > 0 else { return nil }
                let half = width / 2 * part.squareRoot()
                return (x - half)...(x + half)
            case .triangle(let x, let top, let bottom, let width):
                guard (top...bottom).contains(row) else { return nil }
                let half = width / 2 * (row - top) / (bottom - top)
                return (x - half)...(x + half)
            case .rectangle(let x, let y, let width, let height):
                return (y...(y + height)).contains(row) ? x...(x + width) : nil
            }
        }
    }

    /// Red, green and blue, 0 to 1.
    typealias Color = SIMD3<Double>

    private(set) var top: Color
    private(set) var horizon: Color
    /// The shapes from back to front; at most 190.
    private(set) var shapes: [(shape: Shape, color: Color)] = []

    private var random: SeededNumbers
    private let land: Color

    /// The kinds of scenes, by the prefix of a name.
    private static let kinds = ["sea", "hills", "city", "garden", "peaks"]

    init(_ name: String) {
        random = SeededNumbers(
            seed: name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
        let mood = Self.moods[random.below(Self.moods.count)]
        (top, horizon, land) = (mood.top, mood.horizon, mood.land)
        let kind = String(name.prefix { $0 != "-" })
        switch kind == "avatar" || Self.kinds.contains(kind) ? kind : Self.kinds[random.below(Self.kinds.count)] {
        case "avatar": addPerson()
        case "sea": addSea()
        case "city": addCity()
        case "garden": addGarden()
        case "peaks": addPeaks()
        default: addHills(from: 0.5)
        }
    }

    /// The colors of a time of day: the sky at the top, the sky at the horizon, and the near land.
    private static let moods: [(top: Color, horizon: Color, land: Color)] = [
        ([0.24, 0.47, 0.80], [0.82, 0.91, 0.97], [0.16, 0.36, 0.22]),
        ([0.16, 0.22, 0.45], [0.98, 0.72, 0.52], [0.16, 0.14, 0.24]),
        ([0.42, 0.62, 0.78], [0.98, 0.92, 0.80], [0.30, 0.36, 0.20]),
        ([0.07, 0.09, 0.22], [0.30, 0.36, 0.58], [0.05, 0.08, 0.14]),
        ([0.55, 0.44, 0.62], [0.99, 0.82, 0.76], [0.27, 0.20, 0.30]),
        ([0.35, 0.55, 0.60], [0.88, 0.93, 0.84], [0.12, 0.30, 0.30]),
    ]

    // MARK: - Drawing

    private mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.below(10_000)) / 10_000
    }

    private mutating func add(_ shape: Shape, _ color: Color) { shapes.append((shape, color)) }

    /// Returns the color of land at a distance, from 0 (near) to 1 (the horizon).
    private func land(at distance: Double) -> Color { land + (horizon - land) * distance * 0.8 }

    private mutating func addSun(at y: ClosedRange<Double>) -> Double {
        let (x, y, size) = (number(0.3...1.2), number(y), number(0.09...0.16))
        for (part, share) in [(2.2, 0.25), (1.5, 0.5), (1, 1)] {
            let color = horizon + (Color(1, 0.98, 0.9) - horizon) * share
            add(.ellipse(x: x, y: y, width: size * part, height: size * part), color)
        }
        return x
    }

    private mutating func addHills(from y: Double, sunAt sun: ClosedRange<Double>? = 0.15...0.4) {
        if let sun { _ = addSun(at: sun) }
        for layer in 0..<4 {
            let base = y + 0.13 * Double(layer)
            for x in [0.1, 0.7, 1.4] {
                let height = number(0.25...0.55)
                add(
                    .ellipse(
                        x: x + number(-0.25...0.25), y: base + height / 2 + number(-0.03...0.06),
                        width: number(1...1.8), height: height), land(at: 1 - Double(layer + 1) / 4))
            }
            add(.rectangle(x: 0, y: base + 0.2, width: 1.5, height: 1), land(at: 1 - Double(layer + 1) / 4))
        }
    }

    private mutating func addPeaks() {
        _ = addSun(at: 0.12...0.3)
        for _ in 0..<4 {
            let (x, top, width) = (number(0...1.5), number(0.18...0.42), number(0.7...1.2))
            add(.triangle(x: x, top: top, bottom: 0.85, width: width), land(at: 0.75))
            add(
                .triangle(x: x, top: top, bottom: top + 0.12, width: width * 0.12 / (0.85 - top)),
                [0.96, 0.97, 0.99])
        }
        addHills(from: 0.62, sunAt: nil)
        for _ in 0..<12 {
            let (x, y) = (number(0...1.5), number(0.78...0.95))
            add(.triangle(x: x, top: y - 0.14, bottom: y, width: 0.07), land * 0.7)
        }
    }

    private mutating func addSea() {
        let sun = addSun(at: 0.42...0.54)
        add(.ellipse(x: number(0...1.5), y: 0.6, width: 0.7, height: 0.14), land(at: 0.7))
        for band in 0..<12 {
            let part = Double(band) / 12
            add(
                .rectangle(x: 0, y: 0.6 + 0.4 * part, width: 1.5, height: 0.05),
                horizon + (top - horizon) * (0.25 + part * 0.75))
        }
        for _ in 0..<40 {
            let (y, width) = (number(0.61...0.98), number(0.02...0.14))
            add(
                .rectangle(x: sun + number(-0.2...0.2) * (y - 0.4) * 2 - width / 2, y: y, width: width, height: 0.006),
                [1, 0.97, 0.88])
        }
        let (x, y) = (number(0.2...1.3), number(0.64...0.72))
        add(.triangle(x: x, top: y - 0.16, bottom: y, width: 0.1), [0.97, 0.96, 0.93])
        add(.ellipse(x: x, y: y + 0.01, width: 0.16, height: 0.035), land * 0.6)
    }

    private mutating func addCity() {
        _ = addSun(at: 0.1...0.25)
        for layer in 0..<3 {
            var x = number(-0.1...0)
            while x < 1.5, shapes.count < 150 {
                let (width, top) = (number(0.1...0.2), number(0.3...0.62) + 0.1 * Double(layer))
                let color = land(at: 0.8 - 0.4 * Double(layer))
                add(.rectangle(x: x, y: top, width: width, height: 1), color)
                if layer == 2 { addWindows(x, top, width, color) }
                x += width + number(0...0.05)
            }
        }
    }

    private mutating func addWindows(_ x: Double, _ top: Double, _ width: Double, _ wall: Color) {
        for floor in 0..<5 where random.below(3) > 0 {
            let lit = random.below(2) == 0 ? Color(1, 0.86, 0.55) : wall * 1.5
            add(
                .rectangle(x: x + width * 0.2, y: top + 0.05 + 0.08 * Double(floor), width: width * 0.22, height: 0.03),
                lit)
            add(
                .rectangle(
                    x: x + width * 0.58, y: top + 0.05 + 0.08 * Double(floor), width: width * 0.22, height: 0.03), lit)
        }
    }

    private mutating func addGarden() {
        addHills(from: 0.45)
        let petals: [Color] = [[0.93, 0.35, 0.40], [0.98, 0.78, 0.32], [0.90, 0.60, 0.85], [0.97, 0.97, 0.95]]
        for flower in 0..<36 {
            let (x, y) = (number(0...1.5), 0.7 + 0.3 * Double(flower) / 36)
            let size = (y - 0.5) * 0.12
            add(.rectangle(x: x - size * 0.06, y: y, width: size * 0.12, height: size * 2), land * 0.8)
            add(.ellipse(x: x, y: y, width: size, height: size * 0.9), petals[random.below(petals.count)])
            add(.ellipse(x: x, y: y, width: size * 0.4, height: size * 0.36), [0.99, 0.88, 0.45])
        }
    }

    private mutating func addPerson() {
        let skins: [Color] = [[0.95, 0.80, 0.69], [0.80, 0.60, 0.45], [0.55, 0.38, 0.28], [0.38, 0.26, 0.20]]
        let hairs: [Color] = [[0.15, 0.11, 0.10], [0.42, 0.26, 0.15], [0.80, 0.66, 0.40], [0.62, 0.62, 0.64]]
        let (skin, hair) = (skins[random.below(skins.count)], hairs[random.below(hairs.count)])
        if random.below(2) == 0 { add(.ellipse(x: 0.75, y: 0.52, width: 0.54, height: 0.72), hair) }
        add(.ellipse(x: 0.75, y: 1.08, width: 0.92, height: 0.66), land + Color(0.15, 0.1, 0.1))
        add(.rectangle(x: 0.67, y: 0.55, width: 0.16, height: 0.24), skin * 0.92)
        add(.ellipse(x: 0.75, y: 0.36, width: 0.47, height: 0.46), hair)
        add(.ellipse(x: 0.75, y: 0.45, width: 0.38, height: 0.46), skin)
    }
}
