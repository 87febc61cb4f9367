import PaginatorCore
import PaginatorStorage

/// An item that tells where it came from, so that every page and every row can be checked.
package struct SimulatedItem: Sendable, Hashable {
    /// Its number among all items of the world; negative while only the device knows it.
    package var id: Int
    /// How often the server changed it.
    package var revision: Int
    /// A bit for each edit that is in it. Applying an edit twice changes nothing.
    package var edits: UInt64
    /// The hash of the page that it was made for; zero for what came by an edit.
    package var page: UInt64
    /// When the page was asked for, as the world counts.
    package var made: Int
    /// What the validator says of the page.
    package var verdict: Verdict

    package enum Verdict: Int, Sendable { case accept, useButRefresh, dropAndReload, fail }
}

extension SimulatedItem.Verdict {
    var pageVerdict: PageVerdict {
        switch self {
        case .accept: .accept
        case .useButRefresh: .useButRefresh
        case .dropAndReload: .dropAndReload
        case .fail: .fail(reason: "the world said so")
        }
    }

    /// Whether such a page may be shown to anybody.
    var isGood: Bool { self == .accept || self == .useButRefresh }
}

/// What a page says of itself; `nil` where no item remembers.
struct PageFactsRead {
    var hash: UInt64
    var made: Int
    var verdict: SimulatedItem.Verdict

    init?(_ page: borrowing PaginatorPage<SimulatedItem>) {
        guard let item = page.content.first(where: { $0.page != 0 }) else { return nil }
        hash = item.page
        made = item.made
        verdict = item.verdict
    }
}

/// Writes items as bytes.
struct SimulatedCodec: PageCodec {
    let tag = PageCodecTag(name: "simulated", version: 1)

    func encode(_ items: [SimulatedItem]) throws -> [UInt8] {
        var writer = PageByteWriter(capacity: 10 + items.count * 32)
        writer.write(all: items) { writer, item in
            writer.write(item.id)
            writer.write(item.revision)
            writer.write(item.edits)
            writer.write(item.page)
            writer.write(item.made)
            writer.write(byte: UInt8(item.verdict.rawValue))
        }
        return writer.bytes
    }

    func decode(_ bytes: [UInt8]) throws -> [SimulatedItem] {
        var reader = PageByteReader(bytes)
        return try reader.readAll { reader in
            SimulatedItem(
                id: try reader.readInt(), revision: try reader.readInt(), edits: try reader.readUInt64(),
                page: try reader.readUInt64(), made: try reader.readInt(),
                verdict: SimulatedItem.Verdict(rawValue: Int(try reader.readByte())) ?? .fail)
        }
    }
}
