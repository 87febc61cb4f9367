/// A link of a `Link` header, RFC 8288.
struct WebLink: Sendable, Hashable {
    /// The target as it is written, often relative.
    var target: String
    /// The relations, in lower case.
    var relations: [String] = []
    /// The address of the link's context, if it is not the response's own.
    var anchor: String?
    /// All other parameters by name in lower case. Of equal names the first counts.
    var parameters: [String: String] = [:]
}

/// Reads the `Link` header, RFC 8288, section 3 and appendix B.2: several links, quoted parameters, lists of relations.
enum LinkHeader {
    /// Returns the links in order. Invalid text is skipped up to the next comma. Complexity: O(length).
    static func parse(_ text: String) -> [WebLink] {
        var scanner = HeaderScanner(text)
        var links: [WebLink] = []
        while !scanner.isAtEnd {
            scanner.skipSpace()
            if scanner.take(",") { continue }
            guard scanner.take("<") else {
                _ = scanner.value(until: ",")
                continue
            }
            // Up to the bracket, because addresses contain commas and semicolons.
            let target = scanner.text(until: ">")
            guard scanner.take(">") else { break }
            links.append(link(target, &scanner))
        }
        return links
    }

    private static func link(_ target: String, _ scanner: inout HeaderScanner) -> WebLink {
        var link = WebLink(target: String(target.drop { $0 == " " }))
        var hasRelations = false
        while true {
            // Text after a value up to the next separator is skipped.
            _ = scanner.text(until: ";,")
            guard scanner.take(";") else { return link }
            scanner.skipSpace()
            let name = scanner.text(until: "=;, \t").lowercased()
            scanner.skipSpace()
            let value = scanner.take("=") ? scanner.value(until: ";,") : ""
            switch name {
            case "": continue
            // Of several the first counts, section 3.3.
            case "rel" where hasRelations: continue
            case "rel":
                hasRelations = true
                link.relations = value.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
            case "anchor": link.anchor = link.anchor ?? value
            default: link.parameters[name] = link.parameters[name] ?? value
            }
        }
    }
}
