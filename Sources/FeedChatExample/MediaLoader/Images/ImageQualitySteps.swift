/// Decides the steps in which one image appears: a cached quality at once, a placeholder while there is none, the image
/// in its quality, and a lower quality as a fallback if it cannot be loaded.
///
/// The shown quality only increases, and one step is the last.
package struct ImageQualitySteps: Sendable {
    /// An action for the owner.
    package enum Action: Sendable, Equatable {
        /// Load a quality, from the caches or the backend.
        case load(ImageQuality)
        /// Read the caches only.
        case lookUp(ImageQuality)
        /// Show a quality that was loaded.
        case show(ImageQuality, isFinal: Bool)
        /// There is no better quality than the shown one.
        case fail
    }

    private let wanted: ImageQuality
    private let hasQualities: Bool
    private var shown: ImageQuality?
    private var isDone = false
    /// The qualities to look up after the wanted one failed, the best first.
    private var substitutes: [ImageQuality] = []

    package init(wanted: ImageQuality, hasQualities: Bool = true) {
        self.wanted = wanted
        self.hasQualities = hasQualities
    }

    /// Starts.
    ///
    /// - Parameter inMemory: the qualities that can be shown at once.
    package mutating func begin(inMemory: Set<ImageQuality>) -> [Action] {
        if inMemory.contains(wanted) { return show(wanted) }
        guard hasQualities else { return [.load(wanted)] }
        if let better = inMemory.filter({ $0 > wanted }).min() { return finish(better) }
        if let lesser = inMemory.max() { return show(lesser) + [.load(wanted)] }
        return [.load(.placeholder), .load(wanted)]
    }

    /// Handles a quality that was loaded.
    package mutating func loaded(_ quality: ImageQuality) -> [Action] {
        guard !isDone else { return [] }
        if !substitutes.isEmpty, quality != .placeholder { return finish(quality) }
        if let shown, shown >= quality { return quality == wanted ? finish(quality) : [] }
        return show(quality)
    }

    /// Handles a quality that could not be loaded.
    package mutating func failed(_ quality: ImageQuality) -> [Action] {
        guard !isDone else { return [] }
        if quality == wanted {
            guard hasQualities else { return fail() }
            let others = ImageQuality.allCases.filter { $0 != wanted && $0 != .placeholder }
            substitutes = others.filter { $0 > wanted } + others.filter { $0 < wanted }.reversed()
        } else if quality == .placeholder {
            return []
        } else {
            substitutes.removeAll { $0 == quality }
        }
        // A lower quality than the shown one is not needed.
        if let shown { substitutes.removeAll { $0 <= shown } }
        return substitutes.first.map { [.lookUp($0)] } ?? fail()
    }

    /// Ends; no further step is shown.
    package mutating func cancel() { isDone = true }

    private mutating func show(_ quality: ImageQuality) -> [Action] {
        if quality == wanted { return finish(quality) }
        shown = quality
        return [.show(quality, isFinal: false)]
    }

    private mutating func finish(_ quality: ImageQuality) -> [Action] {
        isDone = true
        return [.show(quality, isFinal: true)]
    }

    private mutating func fail() -> [Action] {
        isDone = true
        return [.fail]
    }
}
