import FlyingSocks
import Foundation
import Testing

/// A browser as far as the server can tell: bytes over a socket, and no more of them read than a test asks for.
final class Browser {
    struct Answer {
        var status = 0
        /// By their names in lower case.
        var headers: [String: String] = [:]
        var body = Data()
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let socket: AsyncSocket
    private let port: UInt16
    private var read = Data()
    private var isOpen = true

    /// - Parameter receiveBuffer: how much the system may keep for a browser that does not read, in bytes.
    init(_ url: URL, receiveBuffer: Int32? = nil) async throws {
        port = UInt16(try #require(url.port))
        let raw = try Socket(domain: AF_INET)
        if let receiveBuffer { try raw.setValue(receiveBuffer, for: .receiveBufferSize) }
        socket = try AsyncSocket(socket: raw, pool: try await .client)
        try await socket.connect(to: .inet(ip4: "127.0.0.1", port: port))
    }

    deinit { if isOpen { try? socket.close() } }

    /// Asks for a path; a header that is nil is left out.
    func get(_ path: String, method: String = "GET", _ headers: [String: String?] = [:]) async throws -> Answer {
        var lines: [String: String?] = ["Host": "127.0.0.1:\(port)"]
        lines.merge(headers) { $1 }
        let head = lines.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.sorted().joined()
        try await socket.write(Data("\(method) \(path) HTTP/1.1\r\n\(head)\r\n".utf8))
        var answer = Answer()
        var lineNumber = 0
        while true {
            let line = try await line()
            if line.isEmpty { break }
            lineNumber += 1
            if lineNumber == 1 {
                answer.status = Int(line.split(separator: " ")[1]) ?? 0
            } else {
                let parts = line.split(separator: ":", maxSplits: 1)
                answer.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        answer.body = try await bytes(Int(answer.headers["content-length"] ?? "0") ?? 0)
        return answer
    }

    /// Opens `/live`; throws nothing where the server refuses, but answers with what it says.
    @discardableResult
    func openLive(_ path: String = "/live", _ headers: [String: String?] = [:]) async throws -> Answer {
        var lines: [String: String?] = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://127.0.0.1:\(port)",
        ]
        lines.merge(headers) { $1 }
        return try await get(path, lines)
    }

    /// The next message of the server: its kind, as RFC 6455 numbers it, and its bytes.
    func message() async throws -> (kind: UInt8, bytes: [UInt8]) {
        let head = [UInt8](try await bytes(2))
        var length = Int(head[1])
        if length >= 126 {
            length = [UInt8](try await bytes(length == 126 ? 2 : 8)).reduce(0) { $0 << 8 | Int($1) }
        }
        return (head[0] & 15, [UInt8](try await bytes(length)))
    }

    /// The chunks of the next message.
    func chunks() async throws -> [Chunk] {
        let (kind, bytes) = try await message()
        try #require(kind == 2)
        return try Chunk.all(bytes)
    }

    /// The chunks up to one that fits.
    func chunks(until isLast: (Chunk) -> Bool) async throws -> [Chunk] {
        var all: [Chunk] = []
        while true {
            let next = try await chunks()
            all += next
            if next.contains(where: isLast) { return all }
        }
    }

    func send(kind: UInt8 = 2, _ payload: [UInt8]) async throws {
        var frame: [UInt8] = [0x80 | kind]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 127] + withUnsafeBytes(of: UInt64(payload.count).bigEndian) { Array($0) }
        }
        let mask: [UInt8] = [1, 2, 3, 4]
        frame += mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
        try await socket.write(Data(frame))
    }

    func command(_ json: String) async throws { try await send(Chunk(type: "C", text: json).bytes) }

    /// Goes without a word, as a browser that crashes.
    func breakOff() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.socket.file.rawValue, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(socket.socket.file.rawValue)
        isOpen = false
    }

    /// Reads until the server ends the connection.
    func end() async throws {
        while true {
            do { read = Data(try await socket.read(atMost: 65_536)) } catch SocketError.disconnected { return }
        }
    }

    private func line() async throws -> String {
        while true {
            if let end = read.range(of: Data("\r\n".utf8)) {
                defer { read = Data(read[end.upperBound...]) }
                return String(decoding: read[..<end.lowerBound], as: UTF8.self)
            }
            read += Data(try await socket.read(atMost: 65_536))
        }
    }

    private func bytes(_ count: Int) async throws -> Data {
        while read.count < count { read += Data(try await socket.read(atMost: 65_536)) }
        defer { read = Data(read.dropFirst(count)) }
        return Data(read.prefix(count))
    }
}

/// A part of a recording or a message.
struct Chunk {
    let type: String
    let payload: [UInt8]
    var text: String { String(decoding: payload, as: UTF8.self) }

    init(type: String, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    init(type: String, text: String) { self.init(type: type, payload: Array(text.utf8)) }

    var bytes: [UInt8] {
        Array(type.utf8) + withUnsafeBytes(of: UInt32(payload.count).littleEndian) { Array($0) } + payload
    }

    /// How many events it has.
    var events: Int {
        type == "E" ? payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } : 0
    }

    static func all(_ bytes: [UInt8]) throws -> [Chunk] {
        var chunks: [Chunk] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = rest.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            try #require(rest.count >= 5 + length)
            chunks.append(
                Chunk(
                    type: String(decoding: rest.prefix(1), as: UTF8.self),
                    payload: [UInt8](rest.dropFirst(5).prefix(length))))
            rest = rest.dropFirst(5 + length)
        }
        return chunks
    }
}
