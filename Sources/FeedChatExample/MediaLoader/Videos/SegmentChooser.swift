/// Selects the quality of each segment of a video by the measured throughput.
///
/// It starts at the lowest quality, so that the picture appears soon. It goes up one step at a time, while a segment of
/// the next quality would load in at most 70 % of its playing time, and down at once.
package struct SegmentChooser: Sendable {
    /// The throughput in bytes a second, weighted toward the last loads; `nil` before the first.
    package private(set) var throughput: Double?
    private var current = VideoQuality.p360
    private let secondsPerSegment: Double
    private let bytesPerSegment: [VideoQuality: Double]

    /// Creates a chooser.
    ///
    /// - Parameters:
    ///   - secondsPerSegment: the playing time of a segment.
    ///   - bytesPerSegment: the bytes of a segment, by quality.
    package init(
        secondsPerSegment: Double = 4,
        bytesPerSegment: [VideoQuality: Double] = [.p360: 40_000, .p720: 120_000, .p1080: 240_000]
    ) {
        self.secondsPerSegment = max(0.1, secondsPerSegment)
        self.bytesPerSegment = bytesPerSegment
    }

    /// Records one load from the network; loads from a cache say nothing about it.
    package mutating func loaded(bytes: Int, in seconds: Double) {
        guard bytes > 0, seconds >= 0 else { return }
        let measured = Double(bytes) / max(seconds, 0.001)
        throughput = throughput.map { $0 * 0.6 + measured * 0.4 } ?? measured
    }

    /// Returns the quality of the next segment.
    ///
    /// - Parameter limit: the highest useful quality on this device and link.
    package mutating func next(limit: VideoQuality) -> VideoQuality {
        guard let throughput else { return .p360 }
        let affordable =
            VideoQuality.allCases.filter { quality in
                (bytesPerSegment[quality] ?? 0) <= throughput * secondsPerSegment * 0.7
            }.max() ?? .p360
        let above = VideoQuality.allCases.first { $0 > current } ?? current
        current = min(affordable, limit, above)
        return current
    }
}
