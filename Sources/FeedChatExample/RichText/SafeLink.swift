/// An address that may be opened: `http`, `https` or `mailto`, absolute, of at most 2,048 bytes.
///
/// Every other scheme is rejected (`javascript:`, `data:`, `vbscript:`, `file:`, an app's own), and so is an address
/// without a scheme. Spaces and control characters, which browsers skip and attackers put into `java&#10;script:`, are
/// removed before the scheme is checked.
package struct SafeLink: Sendable, Hashable {
    /// The address, in printable ASCII; other characters are percent-encoded.
    package let address: String

    /// Checks an address.
    package init?(_ text: String) {
        var cleaned = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x20, 0x7f...0xa0: continue
            case 0x22, 0x27, 0x3c, 0x3e, 0x5c, 0x60:
                cleaned += Self.escaped(scalar)
            case 0x21...0x7e: cleaned.unicodeScalars.append(scalar)
            default: cleaned += Self.escaped(scalar)
            }
            if cleaned.utf8.count > 2_048 { return nil }
        }
        guard let colon = cleaned.firstIndex(of: ":") else { return nil }
        let rest = cleaned[cleaned.index(after: colon)...]
        switch cleaned[..<colon].lowercased() {
        case "http", "https":
            guard rest.hasPrefix("//"), let first = rest.dropFirst(2).first, !"/?#:@".contains(first) else {
                return nil
            }
        case "mailto":
            guard rest.contains("@"), !rest.hasPrefix("/") else { return nil }
        default: return nil
        }
        address = cleaned
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}

/// A mentioned user, with an id of 1 to 64 letters, digits, `-` and `_`.
package struct SafeMention: Sendable, Hashable {
    package let user: String

    package init?(_ user: String) {
        guard (1...64).contains(user.utf8.count) else { return nil }
        for byte in user.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: continue
            default: return nil
            }
        }
        self.user = user
    }
}
