import Testing

@testable import PaginatorUI

@Suite struct ScrollBoundsTests {
    /// A screen of 300 points, of which bars cover 100 at the top and 50 at the end.
    private func bounds(_ offset: Double, of contentHeight: Double) -> ScrollBounds {
        ScrollBounds(offset: offset, height: 300, contentHeight: contentHeight, topInset: 100, bottomInset: 50)
    }

    @Test func `rows behind a bar at the top or behind a keyboard are not visible`() {
        let bounds = bounds(400, of: 2_000)
        #expect(!bounds.shows(from: 440, to: 500) && bounds.shows(from: 440, to: 510))
        #expect(bounds.shows(from: 640, to: 700) && !bounds.shows(from: 650, to: 700))
        #expect(!bounds.shows(from: 456, to: 500.5), "a rounded offset shows no row more")
        #expect(bounds.shows(from: 0, to: 2_000))
    }

    @Test func `content that is shorter than the screen has one place, below the bar`() {
        let bounds = bounds(-100, of: 80)
        #expect(bounds.startOffset == -100 && bounds.endOffset == -100 && bounds.isAtEnd)
        #expect(bounds.offset(after: 30) == -100 && bounds.offset(after: -30) == -100)
    }

    @Test func `a scroll ends at the ends of the content`() {
        let bounds = bounds(400, of: 2_000)
        #expect(bounds.startOffset == -100 && bounds.endOffset == 1_750)
        #expect(bounds.offset(after: 30) == 430 && bounds.offset(after: -30) == 370)
        #expect(bounds.offset(after: 1_400) == 1_750 && bounds.offset(after: -600) == -100)
    }

    @Test func `a view that is dragged beyond an end is not taken further, and may stay there`() {
        let (above, below) = (bounds(-160, of: 2_000), bounds(1_800, of: 2_000))
        #expect(above.offset(after: 0) == -160 && above.offset(after: -30) == -160 && above.offset(after: 30) == -130)
        #expect(below.offset(after: 0) == 1_800 && below.offset(after: 30) == 1_800)
        #expect(below.offset(after: -30) == 1_770)
        #expect(!above.isAtEnd && below.isAtEnd && bounds(1_749.5, of: 2_000).isAtEnd)
    }
}
