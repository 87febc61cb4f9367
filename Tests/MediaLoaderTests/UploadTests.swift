import AppFoundation
import ExampleBackend
import Foundation
import MediaLoader
import PaginatorCore
import PaginatorTesting
import Testing

@Suite(.timeLimit(.minutes(3))) struct UploadMachineTests {
    private func machine(_ bytes: Int = 100, _ change: (inout UploadMachine.Policy) -> Void = { _ in }) -> UploadMachine
    {
        var policy = UploadMachine.Policy()
        policy.firstChunk = 10
        policy.smallestChunk = 5
        policy.largestChunk = 40
        change(&policy)
        return UploadMachine(byteCount: bytes, policy: policy, seed: 1)
    }

    @Test func `chunks grow while they go through`() {
        var machine = machine()
        #expect(machine.start() == .begin)
        #expect(machine.handle(.answered(received: 0, location: nil)) == .send(0..<10))
        #expect(machine.handle(.answered(received: 10, location: nil)) == .send(10..<30))
        #expect(machine.progress == 0.1)
        #expect(machine.handle(.answered(received: 30, location: nil)) == .send(30..<70))
        #expect(machine.handle(.answered(received: 70, location: nil)) == .send(70..<100))
        #expect(machine.handle(.answered(received: 100, location: "/x")) == .finish("/x"))
        #expect(machine.progress == 1)
    }

    @Test func `it goes on where the backend is`() {
        var machine = machine()
        #expect(machine.handle(.answered(received: 95, location: nil)) == .send(95..<100))
        var done = self.machine()
        #expect(done.handle(.answered(received: 100, location: "/x")) == .finish("/x"))
    }

    @Test func `a failure halves the chunk and asks again`() throws {
        var machine = machine()
        _ = machine.handle(.answered(received: 0, location: nil))
        guard case .wait = machine.handle(.failed(isFinal: false)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(machine.handle(.waited) == .begin)
        #expect(machine.handle(.answered(received: 4, location: nil)) == .send(4..<9))
    }

    @Test func `failures in a row are limited and a final one is enough`() {
        var machine = machine { $0.attemptLimit = 2 }
        #expect(machine.handle(.failed(isFinal: false)) != .giveUp)
        #expect(machine.handle(.answered(received: 1, location: nil)) == .send(1..<6))
        #expect(machine.handle(.failed(isFinal: false)) != .giveUp)
        #expect(machine.handle(.failed(isFinal: false)) == .giveUp)
        var refused = self.machine()
        #expect(refused.handle(.failed(isFinal: true)) == .giveUp)
    }

    @Test func `a stated delay is waited for if it is short and left to the caller if it is not`() {
        var machine = machine()
        #expect(machine.handle(.failed(isFinal: false, statedDelay: .seconds(3))) == .wait(.seconds(3)))
        #expect(machine.handle(.waited) == .begin)
        #expect(machine.handle(.failed(isFinal: false, statedDelay: .seconds(60))) == .giveUp)
    }

    @Test func `a backend that takes nothing is not asked forever`() {
        var machine = machine()
        var action = machine.handle(.answered(received: 0, location: nil))
        var steps = 0
        while action != .giveUp, steps < 100 {
            steps += 1
            switch action {
            case .wait: action = machine.handle(.waited)
            default: action = machine.handle(.answered(received: 0, location: nil))
            }
        }
        #expect(action == .giveUp)
    }

    /// A backend that takes part of a chunk, answers late or not at all, and forgets.
    @Test func `every byte arrives in the right place`() {
        for seed in UInt64(0)..<500 {
            var random = SeededRandom(seed: seed)
            let size = random.number(in: 0..<300)
            var machine = UploadMachine(
                byteCount: size,
                policy: {
                    var p = UploadMachine.Policy(); p.firstChunk = 7; p.attemptLimit = 50; return p
                }(),
                seed: seed)
            var stored: [Int] = []
            var action = machine.start()
            var location: String?
            for _ in 0..<10_000 where location == nil {
                switch action {
                case .begin:
                    action =
                        random.chance(0.2)
                        ? machine.handle(.failed(isFinal: false))
                        : machine.handle(.answered(received: stored.count, location: stored.count == size ? "/x" : nil))
                case .send(let range):
                    #expect(range.lowerBound == stored.count, "seed \(seed)")
                    if random.chance(0.8) { stored += Array(range) }
                    action =
                        random.chance(0.3)
                        ? machine.handle(.failed(isFinal: false))
                        : machine.handle(.answered(received: stored.count, location: stored.count == size ? "/x" : nil))
                case .wait: action = machine.handle(.waited)
                case .finish(let place): location = place
                case .giveUp: action = machine.start()
                }
            }
            #expect(location == "/x", "seed \(seed)")
            #expect(stored == Array(0..<size), "seed \(seed)")
        }
    }
}

/// Uploads to the real backend.
@Suite(.timeLimit(.minutes(3))) struct MediaUploaderTests {
    private func file(_ count: Int, in rig: MediaRig) throws -> (URL, Data) {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        try FileManager.default.createDirectory(at: rig.folder, withIntermediateDirectories: true)
        let url = rig.folder.appendingPathComponent("file-\(count)")
        try data.write(to: url)
        return (url, data)
    }

    @Test func `a file arrives whole with progress`() async throws {
        let rig = try await MediaRig()
        let (file, data) = try file(300_000, in: rig)
        let shares = Guarded<[Double]>([])
        let location = try await MediaUploader(rig.api).upload(file, type: "image", requestID: "r1") { share, _ in
            shares.withLock { $0.append(share) }
        }
        #expect(try await rig.api.send(APIRequest("GET", location)).body == data)
        let told = shares.withLock { $0 }
        #expect(told == told.sorted() && told.last == 1 && told.count > 3)
        // The same id is the same upload: nothing is sent again.
        let sent = rig.backend.faults.count("PATCH")
        #expect(try await MediaUploader(rig.api).upload(file, type: "image", requestID: "r1") == location)
        #expect(rig.backend.faults.count("PATCH") == sent)
        try await rig.end()
    }

    @Test func `lost requests and answers cost retries and no bytes`() async throws {
        let rig = try await MediaRig()
        let (file, data) = try file(120_000, in: rig)
        rig.backend.faults.plan([.lostRequest, .lostAnswer, .status(503), .lostAnswer], nil, "/v1/uploads")
        var policy = UploadMachine.Policy()
        policy.backoffBase = .milliseconds(1)
        policy.attemptLimit = 6
        let location = try await MediaUploader(rig.api, policy: policy).upload(file, type: "video", requestID: "r2")
        #expect(try await rig.api.send(APIRequest("GET", location)).body == data)
        try await rig.end()
    }

    @Test func `a cancelled upload goes on where it stopped`() async throws {
        let rig = try await MediaRig()
        let (file, data) = try file(200_000, in: rig)
        let uploader = MediaUploader(rig.api)
        let hasBegun = Handshake(0.0)
        let first = Task {
            try await uploader.upload(file, type: "image", requestID: "r3") { share, _ in
                hasBegun.update { $0 = share }
                // The next chunk does not get through.
                if share > 0 { rig.backend.faults.plan([.stall], "PATCH", "/v1/uploads") }
            }
        }
        try await hasBegun.wait { $0 > 0 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        rig.backend.faults.heal()
        let shares = Guarded<[Double]>([])
        let location = try await uploader.upload(file, type: "image", requestID: "r3") { share, _ in
            shares.withLock { $0.append(share) }
        }
        #expect(try #require(shares.withLock { $0.first }) > 0)
        #expect(try await rig.api.send(APIRequest("GET", location)).body == data)
        try await rig.end()
    }

    @Test func `what is refused is given up at once and what is discarded is gone`() async throws {
        let rig = try await MediaRig()
        let (file, _) = try file(10, in: rig)
        let error = await #expect(throws: APIError.self) {
            try await MediaUploader(rig.api).upload(file, type: "poem", requestID: "r4")
        }
        #expect(error?.status == 400)
        #expect(rig.backend.faults.count("POST", "/v1/uploads") == 1)
        let id = Guarded<Int64>(0)
        let location = try await MediaUploader(rig.api).upload(file, type: "image", requestID: "r5") { _, upload in
            id.withLock { $0 = upload }
        }
        try await MediaUploader(rig.api).discard(id.withLock { $0 })
        try await MediaUploader(rig.api).discard(id.withLock { $0 })
        let missing = await #expect(throws: APIError.self) { try await rig.api.send(APIRequest("GET", location)) }
        #expect(missing?.status == 404)
        try await rig.end()
    }
}
