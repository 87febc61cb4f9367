import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies that are small on the wire and large in memory.
struct CompressedBodyTests {
    /// A gzip member (RFC 1952) of one block with codes of its own (RFC 1951, section 3.2.7): a bracket, and then spaces,
    /// 258 for every two bits. It is never whole: nobody is to come to its end.
    private static func bomb(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        bytes.reserveCapacity(count)
        var current: UInt8 = 0
        var used = 0
        func put(_ number: Int, bits: Int) {
            for place in 0..<bits {
                current |= UInt8(number >> place & 1) << used
                used += 1
                if used == 8 {
                    bytes.append(current)
                    (current, used) = (0, 0)
                }
            }
        }
        // The last block, with 286 lengths for literals, one for distances, and 18 for the lengths themselves.
        for (number, bits) in [(1, 1), (2, 2), (29, 5), (0, 5), (14, 4)] { put(number, bits: bits) }
        // In the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1: four symbols with two bits each.
        for length in [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 2] { put(length, bits: 3) }
        // Codes are written from their first bit on: 1 is 00, 2 is 01, 3 is 10, and 18, a run of zeros, is 11.
        func zeros(_ count: Int) {
            put(3, bits: 2)
            put(count - 11, bits: 7)
        }
        func length(_ length: Int) { put([1: 0, 2: 2, 3: 1][length] ?? 0, bits: 2) }
        zeros(32)
        length(2)
        zeros(58)
        length(3)
        zeros(138)
        zeros(26)
        length(3)
        zeros(28)
        length(1)
        length(1)
        // The bracket is 110 and the space 10; a run of 258 is 0, and so is the distance 1.
        put(3, bits: 3)
        put(1, bits: 2)
        while used != 0 { put(0, bits: 1) }
        return bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
    }

    /// The most memory that the process has used since ``forgetPeak()``, in bytes; `nil` where the system does not say.
    private static var peak: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return Int(line.filter(\.isNumber)).map { $0 * 1_024 }
    }

    private static func forgetPeak() {
        // Where it cannot be written, the peak of an earlier test counts, and this one expects too little at worst.
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    /// 128 KB on the wire are 132 MB in memory.
    @Test func `a small body that grows beyond the limit is refused, takes little memory and holds up nobody`()
        async throws
    {
        let bomb = Self.bomb(128 * 1_024)
        let server = try LoopbackServer { request in
            request.path == "/bomb"
                ? [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"),
                    .sendBytes(bomb), .close,
                ] : LoopbackServer.reply(rows(1...2))
        }
        var options = HTTPSourceOptions()
        options.limits.bodyBytes = 1_024 * 1_024
        options.session = HTTPSession(configuration: .ephemeral)
        let bad = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/bomb"), style: .linkHeader, options: options)
        let good = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows"), style: .linkHeader, options: options)
        Self.forgetPeak()
        let before = Self.peak
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<6 {
                group.addTask {
                    if index % 3 == 0 { return await bad.failure()?.httpError?.code == .limitExceeded }
                    return (try? await good.page().get().content.count) == 2
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        // What is decoded after the answer counts too.
        while options.session.transferCount > 0 { await Task.yield() }
        if let before, let after = Self.peak {
            #expect(after - before < 64 * 1_024 * 1_024, "\((after - before) / 1_048_576) MB")
        }
    }

    #if canImport(FoundationNetworking)
        @Test func `a session that decodes faster than anybody takes it waits`() async throws {
            let queue = DeliveryQueue()
            let counts = Handshake((added: 0, done: 0, most: 0))
            let isFull = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for number in 0..<1_000 {
                    queue.addOperation {
                        // The first report is not over before as many are outstanding as may be.
                        if number == 0 { isFull.wait() }
                        counts.update { counts in
                            counts.most = max(counts.most, counts.added - counts.done)
                            counts.done += 1
                        }
                    }
                    counts.update { $0.added += 1 }
                    if number == DeliveryQueue.limit - 1 { isFull.signal() }
                }
            }
            try await counts.wait { $0.done == 1_000 }
            #expect(counts.read { $0.most } <= DeliveryQueue.limit + 1)
        }
    #endif
}
