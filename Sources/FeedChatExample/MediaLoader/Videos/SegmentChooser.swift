/// Chooses the quality of each segment of a video by what the network carried so far.
///
/// It begins at the lowest quality, so that the picture comes soon, goes up one step at a time, while a segment in the
/// next quality would take at most 70 % of the time that it plays, and down at once.
package struct SegmentChooser: Sendable {
    /// Bytes a second that the network carried, the last loads counting most; `nil` before the first.
    package private(set) var throughput: Double?
    private var current = VideoQuality.p360
    private let secondsPerSegment: Double
    private let bytesPerSegment: [VideoQuality: Double]

    /// Makes a chooser.
    ///
    /// - Parameters:
    ///   - secondsPerSegment: how long a segment plays.
    ///   - bytesPerSegment: how many bytes a segment has, by quality.
    package init(
        secondsPerSegment: Double = 4,
        bytesPerSegment: [VideoQuality: Double] = [.p360: 40_000, .p720: 120_000, .p1080: 240_000]
    ) {
        self.secondsPerSegment = max(0.1, secondsPerSegment)
        self.bytesPerSegment = bytesPerSegment
    }

    /// Takes what one load from the network carried; what came from a cache says nothing.
    package mutating func loaded(bytes: Int, in seconds: Double) {
        guard bytes > 0, seconds >= 0 else { return }
        let measured = Double(bytes) / max(seconds, 0.001)
        throughput = throughput.map { $0 * 0.6 + measured * 0.4 } ?? measured
    }

    /// Returns the quality of the next segment.
    ///
    /// - Parameter limit: the highest that makes sense on this device and link.
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
