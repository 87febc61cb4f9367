import Foundation
import PaginatorCore

/// The items of a body received so far, decoded while the rest arrives.
struct EarlyItems<Item: Sendable>: Sendable {
    private var stream: ItemStream
    private let path: JSONPath
    private let depth: Int
    private var shown = 0
    /// Whether an item could not be read. The whole body gives the error, and no more items are shown before.
    private var hasFailed = false

    private(set) var items: [Item] = []
    /// The number of received items, skipped ones included.
    private(set) var count = 0
    private(set) var bytes = 0

    init(_ reading: PageReading, _ header: TransferResponse) {
        path = reading.declaredItems
        depth = reading.limits.jsonDepth
        stream = ItemStream(reading.format, items: path, limits: reading.limits, status: header.status)
    }

    /// Takes the next bytes, and returns whether enough new items arrived to show: the first at once, then each time a
    /// quarter more, so that all previews cost at most a few times the page.
    mutating func take(_ piece: Data, _ decoding: ItemDecoding<Item>, skipsBroken: Bool) -> Bool {
        guard !hasFailed else { return false }
        do {
            for element in try stream.take(piece) {
                count += 1
                bytes += element.count
                if let item = try decode(element, decoding, skipsBroken: skipsBroken) { items.append(item) }
            }
        } catch {
            hasFailed = true
            return false
        }
        guard items.count > shown + shown / 4 else { return false }
        shown = items.count
        return true
    }

    private func decode(
        _ element: [UInt8], _ decoding: ItemDecoding<Item>, skipsBroken: Bool
    ) throws -> Item? {
        do {
            let document = try JSONDocument(element, maxDepth: depth)
            guard let node = document.node(at: path.memberNames[...], from: 0) else {
                throw HTTPSourceError.missing(path.description, "which holds the item")
            }
            return try decoding.one(document.data(of: node))
        } catch {
            guard skipsBroken else { throw error }
            return nil
        }
    }
}
