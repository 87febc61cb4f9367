#if canImport(CLibXML2)
    import CLibXML2
#else
    import libxml2
#endif

/// A tree that libxml2's HTML parser built from text; invalid markup also results in a tree.
///
/// The parser loads nothing, ignores encodings other than UTF-8 and entities declared in the document, and stops at a
/// depth of
/// 256. It recovers from all errors and reports none.
struct HTMLDocument: ~Copyable {
    /// A node of the tree, valid while the document is.
    struct Node {
        fileprivate let pointer: xmlNodePtr

        enum Content {
            case text(String)
            case element(String)
            case other
        }

        var content: Content {
            switch pointer.pointee.type {
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: .text(string(pointer.pointee.content))
            case XML_ELEMENT_NODE: .element(string(pointer.pointee.name))
            default: .other
            }
        }

        var firstChild: Node? {
            // A reference to an entity points to a declaration, which is not a child.
            pointer.pointee.type == XML_ELEMENT_NODE ? pointer.pointee.children.map(Node.init) : nil
        }
        var next: Node? { pointer.pointee.next.map(Node.init) }

        /// Returns the value of an attribute, with entities decoded.
        func attribute(_ name: String) -> String? {
            var attribute = pointer.pointee.properties
            while let present = attribute {
                if string(present.pointee.name).lowercased() == name {
                    var value = ""
                    var part = present.pointee.children
                    while let piece = part {
                        if piece.pointee.type == XML_TEXT_NODE { value += string(piece.pointee.content) }
                        part = piece.pointee.next
                    }
                    return value
                }
                attribute = present.pointee.next
            }
            return nil
        }

        private func string(_ bytes: UnsafePointer<xmlChar>?) -> String {
            bytes.map { String(cString: $0) } ?? ""
        }
    }

    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    private let document: htmlDocPtr

    /// Parses HTML; `nil` if there is no tree, for example for an empty text.
    ///
    /// Complexity: O(`html`); call it off the main thread.
    init?(_ html: some Collection<UInt8>) {
        guard Self.isReady, !html.isEmpty else { return nil }
        // A NUL would end the text for the parser, but not for a browser.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(html.count)
        for byte in html {
            if byte == 0 { bytes += [0xef, 0xbf, 0xbd] } else { bytes.append(byte) }
        }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        let parsed = bytes.withUnsafeBytes { buffer in
            htmlReadMemory(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: buffer.count), nil, "UTF-8",
                Int32(truncatingIfNeeded: options))
        }
        guard let parsed else { return nil }
        document = parsed
    }

    deinit {
        xmlFreeDoc(document)
    }

    /// The first node of the tree.
    var root: Node? { document.pointee.children.map(Node.init) }
}
