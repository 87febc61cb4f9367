/// Which part of its content a view shows that scrolls vertically, as UIKit counts.
struct ScrollBounds {
    /// The distance from the top of the content to the top of the view. It is negative above the content.
    var offset: Double
    var height: Double
    var contentHeight: Double
    /// How much of the view bars cover at the top.
    var topInset = 0.0
    /// How much of the view bars and a keyboard cover at the end.
    var bottomInset = 0.0

    /// The offset at the start of the content.
    var startOffset: Double { -topInset }

    /// The offset at the end of the content.
    var endOffset: Double { max(startOffset, contentHeight + bottomInset - height) }

    /// Whether the end of the content is visible. A point may be missing, since views round their offset.
    var isAtEnd: Bool { offset >= endOffset - 1 }

    /// Whether a row is visible and not covered. A point at the top does not count, since views round their offset.
    func shows(from top: Double, to bottom: Double) -> Bool {
        bottom > offset + topInset + 1 && top < offset + height - bottomInset
    }

    /// The offset after a scroll, not further beyond an end than the view is now, as in a drag.
    func offset(after distance: Double) -> Double {
        max(min(startOffset, offset), min(max(endOffset, offset), offset + distance))
    }
}
