import Dispatch
import Foundation
import PaginatorCore
import PaginatorTesting

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A request as it came over the wire.
struct WireRequest: Sendable {
    var method: String
    /// Path and query.
    var target: String
    /// By name in lower case.
    var headers: [String: String]
    var body: String

    var path: String { String(target.prefix { $0 != "?" }) }

    /// The query's parameters, decoded.
    var query: [String: String] {
        var found: [String: String] = [:]
        for part in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
            found[pair[0]] = pair.count > 1 ? pair[1] : ""
        }
        return found
    }
}

/// What the server does with a request, byte by byte.
enum WireStep: Sendable {
    /// Sends text.
    case send(String)
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Waits until the test opens the gate of that name, or the client goes away.
    case hold(String)
    /// Closes the connection, and with it the answer.
    case close
}

/// An HTTP server on loopback that does whatever a test says, protocol violations included: one thread a connection,
/// blocking sockets, one request a connection.
final class LoopbackServer: Sendable {
    typealias Handler = @Sendable (WireRequest) -> [WireStep]

    struct Log: Sendable {
        var requests: [WireRequest] = []
        var openGates: Set<String> = []
        var heldAt: [String] = []
        /// How many connections the client closed while they were held.
        var lost = 0
    }

    let port: UInt16
    let log = Handshake(Log())
    private let listener: Int32
    private let handler: Handler

    init(_ handler: @escaping Handler) throws {
        self.handler = handler
        let (listener, port) = try Self.listen()
        self.listener = listener
        self.port = port
        let log = log
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    // Closed by the one thread that uses it, so that nobody gets its number too early.
                    close(listener)
                    return
                }
                Thread.detachNewThread { Self.serve(connection, handler, log) }
            }
        }
    }

    /// Stops listening; a server that nobody stops serves until the process ends.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }

    var requests: [WireRequest] { log.read { $0.requests } }

    /// What the server says to a request, for one that stands in front of it.
    func answer(_ request: WireRequest) -> [WireStep] { handler(request) }

    func open(_ gate: String) {
        log.update { _ = $0.openGates.insert(gate) }
    }

    /// An answer that keeps to the protocol.
    static func reply(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> [WireStep] {
        var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
        if !headers.keys.contains("Content-Type") { head += "Content-Type: application/json\r\n" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        return [.send(head + "\r\n" + body), .close]
    }

    private static func listen() throws -> (Int32, UInt16) {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && startListening(listener) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard listener >= 0, status else { throw NoSocket() }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    struct NoSocket: Error {}

    private static func serve(_ connection: Int32, _ handler: Handler, _ log: Handshake<Log>) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        log.update { $0.requests.append(request) }
        for step in handler(request) {
            switch step {
            case .send(let text):
                guard write(Array(text.utf8), to: connection) else { return log.update { $0.lost += 1 } }
            case .sendBytes(let bytes):
                guard write(bytes, to: connection) else { return log.update { $0.lost += 1 } }
            case .hold(let gate):
                guard hold(connection, gate, log) else { return log.update { $0.lost += 1 } }
            case .close:
                shutdown(connection, Int32(SHUT_WR))
                return
            }
        }
    }

    /// Waits until the gate is open, and notices when the client goes away.
    private static func hold(_ connection: Int32, _ gate: String, _ log: Handshake<Log>) -> Bool {
        log.update { $0.heldAt.append(gate) }
        while !log.read({ $0.openGates.contains(gate) }) {
            var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 5) > 0 else { continue }
            var byte: UInt8 = 0
            if recv(connection, &byte, 1, Int32(MSG_PEEK)) <= 0 { return false }
        }
        return true
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                #if canImport(Darwin)
                    send(connection, rest.baseAddress, rest.count, 0)
                #else
                    send(connection, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func read(_ connection: Int32) -> WireRequest? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                var request = parse(text[..<end.lowerBound])
                request.body = String(text[end.upperBound...])
                if request.body.utf8.count >= Int(request.headers["content-length"] ?? "0") ?? 0 { return request }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }

    private static func parse(_ head: Substring) -> WireRequest {
        let lines = head.components(separatedBy: "\r\n")
        let first = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
            headers[pair[0].lowercased()] = pair.count > 1 ? pair[1].trimmingCharacters(in: .whitespaces) : ""
        }
        return WireRequest(method: first[0], target: first.count > 1 ? first[1] : "/", headers: headers, body: "")
    }
}

private func startListening(_ socket: Int32) -> Int32 { listen(socket, 128) }
