import Foundation

/// The growth of every figure as a picture: a panel each, both axes logarithmic.
struct GrowthPicture {
    let curves: [GrowthCurve]
    let caption: String

    private static let colors = ["#777777", "#1f78b4", "#0a7d32", "#e31a1c", "#6a3d9a", "#ff7f00"]
    private static let columns = 3
    private static let (panelWidth, panelHeight) = (320.0, 230.0)
    private static let (plotWidth, plotHeight) = (240.0, 110.0)

    var svg: String {
        var figures: [String] = []
        for curve in curves where !figures.contains(curve.figure) { figures.append(curve.figure) }
        let rows = (figures.count + Self.columns - 1) / Self.columns
        let height = Double(rows) * Self.panelHeight + 40
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(Double(Self.columns) * Self.panelWidth)) "
                + "\(Int(height))\" font-family=\"sans-serif\" font-size=\"11\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        for (number, figure) in figures.enumerated() {
            let left = Double(number % Self.columns) * Self.panelWidth
            let top = Double(number / Self.columns) * Self.panelHeight
            lines.append("<g transform=\"translate(\(Int(left)) \(Int(top)))\">")
            lines += panel(figure, curves.filter { $0.figure == figure })
            lines.append("</g>")
        }
        lines.append("<text x=\"50\" y=\"\(Int(height) - 14)\">\(escaped(caption))</text>")
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func panel(_ title: String, _ curves: [GrowthCurve]) -> [String] {
        let sizes = Set(curves.flatMap(\.sizes)).sorted()
        let values = curves.flatMap(\.medians).filter { $0 > 0 && $0.isFinite }
        guard let smallest = sizes.first, let largest = sizes.last, let least = values.min(), let most = values.max()
        else { return [] }
        let bottom = floor(log10(least))
        let top = max(bottom + 1, ceil(log10(most)))
        let span = max(1e-9, log10(Double(largest)) - log10(Double(smallest)))
        func x(_ size: Int) -> Double { 50 + (log10(Double(size)) - log10(Double(smallest))) / span * Self.plotWidth }
        func y(_ value: Double) -> Double { 30 + (top - log10(value)) / (top - bottom) * Self.plotHeight }
        var lines = ["<text x=\"50\" y=\"18\" font-weight=\"bold\">\(escaped(title))</text>"]
        for power in Int(bottom)...Int(top) {
            let place = number(y(pow(10, Double(power))))
            lines.append("<path d=\"M50 \(place)H\(Int(50 + Self.plotWidth))\" stroke=\"#dddddd\"/>")
            lines.append("<text x=\"45\" y=\"\(place)\" dy=\"4\" text-anchor=\"end\">\(time(power))</text>")
        }
        for size in sizes {
            lines.append(
                "<text x=\"\(number(x(size)))\" y=\"\(Int(Self.plotHeight) + 46)\" text-anchor=\"middle\">\(short(size))</text>"
            )
        }
        for (place, curve) in curves.enumerated() {
            let color = Self.colors[place % Self.colors.count]
            let points = zip(curve.sizes, curve.medians).map { "\(number(x($0))),\(number(y($1)))" }
            let dash = curve.isFloor ? " stroke-dasharray=\"5 3\"" : ""
            lines.append(
                "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.6\"\(dash) points=\"\(points.joined(separator: " "))\"/>"
            )
            let (left, down) = (50 + 130 * (place % 2), Int(Self.plotHeight) + 62 + 14 * (place / 2))
            lines.append("<rect x=\"\(left)\" y=\"\(down - 8)\" width=\"10\" height=\"8\" fill=\"\(color)\"/>")
            lines.append("<text x=\"\(left + 14)\" y=\"\(down)\" font-size=\"9\">\(escaped(curve.contender))</text>")
        }
        return lines
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private func time(_ power: Int) -> String {
        switch power {
        case 9...: "\(Int(pow(10, Double(power - 9)))) s"
        case 6...: "\(Int(pow(10, Double(power - 6)))) ms"
        case 3...: "\(Int(pow(10, Double(power - 3)))) µs"
        case 0...: "\(Int(pow(10, Double(power)))) ns"
        default: "1e\(power) ns"
        }
    }

    private func short(_ size: Int) -> String {
        size >= 1_000_000 ? "\(size / 1_000_000) M" : size >= 1_000 ? "\(size / 1_000) K" : "\(size)"
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
