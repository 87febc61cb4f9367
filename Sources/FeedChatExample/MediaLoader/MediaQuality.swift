package import AppFoundation

/// The size of a requested image.
package enum ImageQuality: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// 60x40, shown stretched until the image is loaded.
    case placeholder = 60
    /// 480x320.
    case small = 480
    /// 720x480.
    case medium = 720
    /// 1080x720.
    case large = 1_080

    /// The width in pixels.
    package var width: Int { rawValue }

    package static func < (left: ImageQuality, right: ImageQuality) -> Bool { left.rawValue < right.rawValue }
}

/// The size of a requested video, by its height in pixels.
package enum VideoQuality: Int, Sendable, Hashable, CaseIterable, Comparable {
    case p360 = 360
    case p720 = 720
    case p1080 = 1_080

    /// The name in addresses, such as `720p`.
    package var name: String { "\(rawValue)p" }

    package static func < (left: VideoQuality, right: VideoQuality) -> Bool { left.rawValue < right.rawValue }
}

/// Selects qualities by the device's screen and the network.
package struct QualityChooser: Sendable, Hashable {
    /// The screen's width in pixels.
    package var screenWidth: Int

    package init(screenWidth: Int = 1_080) {
        self.screenWidth = screenWidth
    }

    /// Returns the quality of an image: the smallest that fills its place, one step lower on a weak link or in low
    /// power.
    ///
    /// - Parameter shownWidth: the width of its place in pixels; `nil` for the whole screen.
    package func image(shownWidth: Int? = nil, _ state: AppEnvironment.State) -> ImageQuality {
        let width = min(shownWidth ?? screenWidth, screenWidth)
        let fitting: ImageQuality =
            width <= ImageQuality.small.width ? .small : width <= ImageQuality.medium.width ? .medium : .large
        guard state.link == .weak || state.isLowPower else { return fitting }
        return fitting == .large ? .medium : .small
    }

    /// Returns the highest useful quality of a video: that of the screen, 720p in low power, 360p on a weak link.
    package func video(_ state: AppEnvironment.State) -> VideoQuality {
        let fitting: VideoQuality = screenWidth <= 480 ? .p360 : screenWidth <= 900 ? .p720 : .p1080
        if state.link != .good { return .p360 }
        return state.isLowPower ? min(fitting, .p720) : fitting
    }
}

/// The path of an image, a video or an uploaded file on the backend, and the addresses of its qualities.
package struct MediaPath: Sendable, Hashable {
    /// Such as `/cdn/images/sea`.
    package let path: String

    /// Checks a path from another user; `nil` if it is not one of the backend's media.
    package init?(_ path: String) {
        guard path.hasPrefix("/cdn/"), !path.contains(".."), !path.contains("?"), path.utf8.count <= 300 else {
            return nil
        }
        self.path = path
    }

    /// Whether the backend has the image in several qualities; uploads exist only in their original form.
    package var hasQualities: Bool { path.hasPrefix("/cdn/images/") }

    /// The key of an image: path and query.
    package func key(_ quality: ImageQuality) -> String { hasQualities ? "\(path)?w=\(quality.width)" : path }

    /// The key of a segment of a video.
    package func key(_ quality: VideoQuality, segment: Int) -> String { "\(path)/\(quality.name)/\(segment)" }
}
