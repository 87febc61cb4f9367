import Foundation

@testable import PaginatorCore
@testable import PaginatorHTTP

/// Transfers: a connection that reports anything in any order ends in an answer within the limits, or in an error.
@Sendable
func fuzzTransfers(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    guard let url = URL(string: "https://api.example.com/items") else { return }
    var limits = HTTPLimits()
    limits.bodyBytes = Int(input.byte())
    limits.headerBytes = 128
    limits.itemsPerPage = Int(input.byte() & 7)
    limits.redirects = 3
    limits.slowestBytes = 4
    let rules = TransferRules(
        limits: limits, itemsPath: input.bool() ? "items" : .root, allowedOrigins: cdn)
    let hasBody = input.bool()
    var machine = TransferMachine(url: url, hasBody: hasBody, rules: rules)
    var now = PaginatorInstant.zero
    var isBare = false
    var sent: [UInt8] = []
    var hasHeader = false

    while !input.isAtEnd {
        do throws(HTTPSourceError) {
            switch input.byte() % 5 {
            case 0:
                let target = URL(string: input.element(of: addresses) ?? input.text())
                switch machine.redirected(status: input.element(of: [301, 302, 303, 307, 308, 0]), to: target) {
                case .follow:
                    require(!isBare && HTTPOrigin(url) == target.flatMap { HTTPOrigin($0) }, "secrets stay at home")
                case .followBare:
                    require(!hasBody, "a body goes to no other origin")
                    isBare = true
                case .refuse: return
                }
            case 1 where !hasHeader:
                let length = input.bool() ? "\(input.int())" : input.text()
                let headers: HTTPHeaderFields = input.bool() ? ["Content-Length": length] : ["X": length]
                try machine.received(
                    status: input.element(of: [200, 404, 304, 100, -1]), headers: headers, url: url, at: now)
                hasHeader = true
            case 2:
                let piece = input.take(Int(input.byte()))
                // Of a failure's text the beginning is kept.
                let isWhole = try machine.received(piece) == .go
                if hasHeader { sent += isWhole ? piece : Array(piece.prefix(limits.bodyBytes - sent.count)) }
            case 3:
                now = now.advanced(by: .seconds(Int64(input.byte())))
                try machine.ticked(at: now)
            default:
                let response = try machine.ended(input.bool() ? nil : .networkConnectionLost)
                require(response.body.count <= limits.bodyBytes, "a body keeps to its limit")
                require(response.body == sent, "a body is what was sent")
                return
            }
        } catch {
            return require(!error.description.isEmpty, "an error says something")
        }
    }
}

private let cdn = Set([HTTPOrigin("https://cdn.example.com")].compactMap { $0 })

private let addresses: [String?] = [
    nil, "https://api.example.com/other", "https://cdn.example.com/items", "http://api.example.com/items",
    "https://api.example.com:444/", "https://API.example.com:443/items", "ftp://api.example.com", "//evil.example/x",
]
