import Foundation

extension URL {
    /// Parses an address as a server or an app wrote it.
    ///
    /// What may not stand in an address, such as `[` or a space, is percent-encoded, and nothing else: `URL(string:)`
    /// would encode each `%` of the same part again, which makes another address of it.
    init?(written text: String, relativeTo base: URL? = nil) {
        let bytes = Array(text.utf8)
        let start = Self.endOfHost(in: bytes)
        var address = String(decoding: bytes[..<start], as: UTF8.self)
        var isFragment = false
        for index in start..<bytes.count {
            let byte = bytes[index]
            let isFragmentMark = byte == UInt8(ascii: "#") && !isFragment
            if isFragmentMark { isFragment = true }
            if isFragmentMark || Self.plain.contains(byte) || Self.isEscape(bytes[index...].prefix(3)) {
                address.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                address += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        // A relative path with a colon in its first part needs the form that only `URL(string:)` makes.
        guard let url = URL(string: address, relativeTo: base) ?? URL(string: text, relativeTo: base) else {
            return nil
        }
        self = url
    }

    /// The characters of paths, queries and fragments (RFC 3986, sections 3.3 to 3.5).
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "%") && bytes.count == 3
            && bytes.dropFirst().allSatisfy { JSONParser.hexDigit($0) != nil }
    }

    /// The index behind scheme and host, which have rules of their own: `[` in addresses of IPv6, international names.
    private static func endOfHost(in bytes: [UInt8]) -> Int {
        let firstEnd = bytes.firstIndex(where: "/?#".utf8.contains) ?? bytes.count
        guard bytes[firstEnd...].starts(with: "//".utf8), firstEnd == 0 || bytes[firstEnd - 1] == UInt8(ascii: ":")
        else { return 0 }
        return bytes[(firstEnd + 2)...].firstIndex(where: "/?#".utf8.contains) ?? bytes.count
    }
}
