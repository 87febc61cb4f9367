import AppFoundation
import MediaLoader
import PaginatorTesting
import Testing

@Suite struct ImageQualityStepsTests {
    @Test func `what is in memory in its quality is the only step`() {
        var steps = ImageQualitySteps(wanted: .medium)
        #expect(steps.begin(inMemory: [.small, .medium]) == [.show(.medium, isFinal: true)])
        #expect(steps.loaded(.medium).isEmpty)
    }

    @Test func `something better is as good`() {
        var steps = ImageQualitySteps(wanted: .small)
        #expect(steps.begin(inMemory: [.large, .medium]) == [.show(.medium, isFinal: true)])
    }

    @Test func `something lesser shows until it comes`() {
        var steps = ImageQualitySteps(wanted: .large)
        #expect(steps.begin(inMemory: [.small]) == [.show(.small, isFinal: false), .load(.large)])
        #expect(steps.loaded(.large) == [.show(.large, isFinal: true)])
    }

    @Test func `a placeholder shows while there is nothing and never afterwards`() {
        var steps = ImageQualitySteps(wanted: .medium)
        #expect(steps.begin(inMemory: []) == [.load(.placeholder), .load(.medium)])
        var late = steps
        #expect(steps.loaded(.placeholder) == [.show(.placeholder, isFinal: false)])
        #expect(steps.loaded(.medium) == [.show(.medium, isFinal: true)])
        #expect(late.loaded(.medium) == [.show(.medium, isFinal: true)])
        #expect(late.loaded(.placeholder).isEmpty)
    }

    @Test func `what cannot be had is replaced by what is cached`() {
        var steps = ImageQualitySteps(wanted: .medium)
        _ = steps.begin(inMemory: [])
        #expect(steps.failed(.placeholder).isEmpty)
        #expect(steps.failed(.medium) == [.lookUp(.large)])
        #expect(steps.failed(.large) == [.lookUp(.small)])
        var found = steps
        #expect(found.loaded(.small) == [.show(.small, isFinal: true)])
        #expect(steps.failed(.small) == [.fail])
    }

    @Test func `what is shown already is not looked for`() {
        var steps = ImageQualitySteps(wanted: .large)
        _ = steps.begin(inMemory: [.medium])
        #expect(steps.failed(.large) == [.fail])
    }

    @Test func `an upload has one quality`() {
        var steps = ImageQualitySteps(wanted: .small, hasQualities: false)
        #expect(steps.begin(inMemory: []) == [.load(.small)])
        #expect(steps.failed(.small) == [.fail])
    }

    /// Whatever comes in whatever order: what is shown gets better, and there is one last step.
    @Test func `what is shown only gets better and ends once`() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededRandom(seed: seed)
            let wanted = ImageQuality.allCases[random.number(in: 1..<4)]
            let cached = ImageQuality.allCases.filter { _ in random.chance(0.3) }
            var steps = ImageQualitySteps(wanted: wanted)
            var pending: [ImageQuality] = []
            var shown: [ImageQuality] = []
            var ends = 0
            func perform(_ actions: [ImageQualitySteps.Action]) {
                for action in actions {
                    switch action {
                    case .load(let quality), .lookUp(let quality): pending.append(quality)
                    case .show(let quality, let isFinal):
                        shown.append(quality)
                        if isFinal { ends += 1 }
                    case .fail: ends += 1
                    }
                }
            }
            perform(steps.begin(inMemory: Set(cached)))
            while !pending.isEmpty {
                let quality = pending.remove(at: random.number(in: 0..<pending.count))
                perform(random.chance(0.5) ? steps.loaded(quality) : steps.failed(quality))
            }
            #expect(shown == shown.sorted(), "seed \(seed)")
            #expect(ends == 1, "seed \(seed)")
        }
    }
}

@Suite struct QualityTests {
    private let good = AppEnvironment.State()

    @Test func `an image fills its place and no more`() {
        let chooser = QualityChooser(screenWidth: 1_080)
        #expect(chooser.image(shownWidth: 300, good) == .small)
        #expect(chooser.image(shownWidth: 481, good) == .medium)
        #expect(chooser.image(good) == .large)
        #expect(QualityChooser(screenWidth: 640).image(shownWidth: 2_000, good) == .medium)
    }

    @Test func `a weak link and low power take less`() {
        let chooser = QualityChooser(screenWidth: 1_080)
        #expect(chooser.image(.init(link: .weak)) == .medium)
        #expect(chooser.image(.init(isLowPower: true)) == .medium)
        #expect(chooser.image(shownWidth: 480, .init(link: .weak)) == .small)
        #expect(chooser.video(good) == .p1080)
        #expect(chooser.video(.init(link: .weak)) == .p360)
        #expect(chooser.video(.init(isLowPower: true)) == .p720)
    }

    @Test func `a video goes up step by step and down at once`() {
        var chooser = SegmentChooser()
        #expect(chooser.next(limit: .p1080) == .p360)
        chooser.loaded(bytes: 40_000, in: 0.01)
        #expect(chooser.next(limit: .p1080) == .p720)
        #expect(chooser.next(limit: .p1080) == .p1080)
        #expect(chooser.next(limit: .p720) == .p720)
        for _ in 0..<30 { chooser.loaded(bytes: 40_000, in: 4) }
        #expect(chooser.next(limit: .p1080) == .p360)
        for _ in 0..<10 { chooser.loaded(bytes: 0, in: 0) }
        #expect(chooser.next(limit: .p1080) == .p360)
    }
}

@Suite struct ImageHeaderTests {
    @Test func `the format is in the first bytes`() throws {
        let png: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 1, 0xe0, 0, 0, 1, 0x40]
        let header = try ImageHeader(rawBytes: png)
        #expect(header.format == .png)
        #expect(header.size == .init(width: 480, height: 320))
        #expect(try ImageHeader(rawBytes: Array(png.prefix(20))).size == nil)
        #expect(try ImageHeader(rawBytes: [0xff, 0xd8, 0xff]).format == .jpeg)
        #expect(try ImageHeader(rawBytes: Array("GIF89a".utf8) + [1, 2, 3, 0]).size == .init(width: 513, height: 3))
        #expect(try ImageHeader(rawBytes: Array("RIFF----WEBP".utf8)).format == .webp)
    }

    @Test func `what is no image is refused`() {
        for text in ["", "<html>", "\u{89}PNG", "RIFF----WAVE"] {
            #expect(throws: ImageHeader.NotAnImage.self) { try ImageHeader(rawBytes: Array(text.utf8)) }
        }
    }
}
