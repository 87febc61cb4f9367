import AppFoundation
import ExampleBackend
import Foundation
import MediaLoader
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import Testing

/// The loader against the real backend.
@Suite(.timeLimit(.minutes(3))) struct MediaLoaderTests {
    @Test func `an image comes after its placeholder and is then in memory`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        let steps = try await rig.steps(loader, "/cdn/images/sea", shownWidth: 480)
        #expect(steps.last == "image 480")
        #expect(steps == ["preview 60", "image 480"] || steps == ["image 480"])
        // Nobody is there to be asked any more; requests are not counted, since that of the placeholder may come late.
        try await rig.end()
        #expect(try await rig.steps(loader, "/cdn/images/sea", shownWidth: 480) == ["image 480"])
        try await loader.shutDown()
    }

    @Test func `the bytes are an image of the quality asked for`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        for (width, size) in [(480, (480, 320)), (720, (720, 480)), (1_080, (1_080, 720))] {
            let found = Handshake<MediaItem?>(nil)
            loader.image(MediaPath("/cdn/images/hill")!, shownWidth: width) { step in
                if case .image(let item, _) = step { found.update { $0 = item } }
            }
            try await found.wait { $0 != nil }
            let header = try #require(found.read { $0 }).value
            #expect(header.size == .init(width: size.0, height: size.1))
        }
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `many who wait for one image make one request`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        rig.backend.faults.plan([.stall, .stall], "GET", "/cdn/images/crowd")
        let ends = Handshake(0)
        for _ in 0..<100 {
            loader.image(MediaPath("/cdn/images/crowd")!, shownWidth: 480) { step in
                if case .image = step { ends.update { $0 += 1 } }
            }
        }
        try await rig.backend.faults.waitForRequests(2, "GET", "/cdn/images/crowd")
        rig.backend.faults.heal()
        try await ends.wait { $0 == 100 }
        #expect(rig.count("/cdn/images/crowd") == 2)
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `what was scrolled away is stopped and tells nothing`() async throws {
        let rig = try await MediaRig()
        var limits = MediaLoader.Limits()
        limits.parallelLoads = 2
        let loader = try await rig.loader(limits)
        rig.backend.faults.plan([.stall, .stall], "GET", "/cdn/images/gone")
        let steps = Handshake<[String]>([])
        let request = loader.image(MediaPath("/cdn/images/gone")!, shownWidth: 480) { step in
            steps.update { $0.append(MediaRig.name(step)) }
        }
        try await rig.backend.faults.waitForRequests(2, "GET", "/cdn/images/gone")
        request.cancel()
        // Its slots are free: otherwise this would wait for the stalled requests.
        #expect(try await rig.steps(loader, "/cdn/images/here", shownWidth: 480).last == "image 480")
        #expect(steps.read { $0 }.isEmpty)
        rig.backend.faults.heal()
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `what is on disk shows offline after a restart and a lesser quality rather than nothing`() async throws {
        let rig = try await MediaRig()
        let first = try await rig.loader()
        _ = try await rig.steps(first, "/cdn/images/kept", shownWidth: 480)
        try await first.shutDown()
        #expect(FileManager.default.fileExists(atPath: rig.folder.appendingPathComponent("media.sqlite").path))
        rig.environment.update { $0.link = .none }
        let second = try await rig.loader()
        let asked = rig.count("/cdn")
        #expect(try await rig.steps(second, "/cdn/images/kept", shownWidth: 1_080).last == "image 480")
        #expect(try await rig.steps(second, "/cdn/images/kept", shownWidth: 480) == ["image 480"])
        #expect(
            try await rig.steps(second, "/cdn/images/kept", shownWidth: 1_080)
                == ["preview 480", "failed \(MediaError.Kind.offline)"])
        #expect(
            try await rig.steps(second, "/cdn/images/new", shownWidth: 480)
                == ["failed \(MediaError.Kind.offline)"])
        #expect(rig.count("/cdn") == asked)
        try await second.shutDown()
        try await rig.end()
    }

    @Test func `nothing is loaded in the background`() async throws {
        let rig = try await MediaRig()
        rig.environment.update { $0.lifecycle = .background }
        let loader = try await rig.loader()
        loader.prefetch([MediaPath("/cdn/images/a")!], shownWidth: 480)
        let steps = Handshake<[String]>([])
        loader.image(MediaPath("/cdn/images/b")!, shownWidth: 480) { step in
            steps.update { $0.append(MediaRig.name(step)) }
        }
        // Cached pages are answered meanwhile, so the paginator has seen the loads when this is.
        _ = await loader.lookUp("/cdn/images/c")
        #expect(rig.count("/cdn") == 0)
        rig.environment.update { $0.lifecycle = .foreground }
        try await steps.wait { $0.last == "image 480" }
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `a prefetched image needs no request`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        loader.prefetch([MediaPath("/cdn/images/next")!], shownWidth: 480)
        try await rig.backend.faults.waitForRequests(1, "GET", "/cdn/images/next")
        _ = try await rig.steps(loader, "/cdn/images/next", shownWidth: 480)
        let asked = rig.backend.faults.arrivals.count { $0.path == "/cdn/images/next" }
        #expect(asked <= 2, "the placeholder may come beside the prefetched image")
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `failures are told and tried again`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        rig.environment.update { $0.isLowPower = true }
        #expect(try await rig.steps(loader, "/cdn/nothing", shownWidth: 480) == ["failed \(MediaError.Kind.missing)"])
        rig.backend.faults.plan([.status(503)], "GET", "/cdn/uploads")
        #expect(try await rig.steps(loader, "/cdn/uploads/99", shownWidth: 480).count == 1)
        #expect(rig.count("/cdn/uploads") == 2)
        try await loader.shutDown()
        try await rig.end()
    }

    @Test func `the disk cache keeps to its limit`() async throws {
        let rig = try await MediaRig()
        var limits = MediaLoader.Limits()
        limits.disk = 500_000
        limits.memory = 100_000
        let loader = try await rig.loader(limits)
        let video = loader.video(MediaPath("/cdn/videos/long")!)
        while try await video.next() != nil {}
        try await loader.shutDown()
        rig.environment.update { $0.link = .none }
        let again = try await rig.loader(limits)
        var kept = 0
        for quality in VideoQuality.allCases {
            for index in 0..<10 {
                kept += await again.lookUp(MediaPath("/cdn/videos/long")!.key(quality, segment: index)) ?? 0
            }
        }
        #expect(kept > 0 && kept <= 500_000)
        try await again.shutDown()
        try await rig.end()
    }

    @Test func `a video plays every segment once in order`() async throws {
        let rig = try await MediaRig()
        let loader = try await rig.loader()
        let video = loader.video(MediaPath("/cdn/videos/trip")!)
        var qualities: [VideoQuality] = []
        while let segment = try await video.next() {
            #expect(segment.index == qualities.count)
            #expect(segment.item.bytes.allSatisfy { $0 == UInt8(segment.index) })
            qualities.append(segment.quality)
        }
        #expect(qualities.count == 10)
        #expect(qualities.first == .p360)
        video.cancel()
        rig.environment.update { $0.link = .weak }
        let weak = loader.video(MediaPath("/cdn/videos/other")!)
        while let segment = try await weak.next() { #expect(segment.quality == .p360) }
        try await loader.shutDown()
        try await rig.end()
    }
}
