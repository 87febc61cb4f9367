/// Carries an item's value, or its identity, through machinery that is compiled once and knows the type of neither.
@usableFromInline
final class ItemBox<Content: Sendable>: Sendable {
    @usableFromInline let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// What a box of the same list holds.
    static func content(of object: ListValue) -> Content {
        let box: ItemBox = KnownType.cast(object)
        return box.content
    }

    // One loop rather than a closure for each, which would look the type up each time.
    static func contents(of objects: [ListValue]) -> [Content] {
        var contents: [Content] = []
        contents.reserveCapacity(objects.count)
        for object in objects {
            let box: ItemBox = KnownType.cast(object)
            contents.append(box.content)
        }
        return contents
    }
}

/// An item's value, in a box.
@usableFromInline typealias ListValue = any AnyObject & Sendable

/// An item's identity, in a box: the only one of its list with that identity, so that boxes are compared and not what
/// they hold.
struct ListItemID: Hashable, Sendable {
    let object: any AnyObject & Sendable

    static func == (left: Self, right: Self) -> Bool { left.object === right.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

/// The identities of a list's items, each in one box.
struct ListItemIDs<ID: Hashable & Sendable>: Sendable {
    private var boxes: [ID: ItemBox<ID>] = [:]
    private var limit = 1_024

    var count: Int { boxes.count }

    /// The box of an identity. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        mutating get {
            if let box = boxes[id] { return ListItemID(object: box) }
            if boxes.count >= limit { forgetUnused() }
            let box = ItemBox(id)
            boxes[id] = box
            return ListItemID(object: box)
        }
    }

    // What the list and its snapshots need they hold themselves. So nothing has to say when it is done with an identity,
    // and an item that comes back while somebody still shows it is the same one.
    private mutating func forgetUnused() {
        var unused: [ID] = []
        var index = boxes.startIndex
        // By hand: `indices` would hold a copy of the table, and so every box.
        while index != boxes.endIndex {
            if isKnownUniquelyReferenced(&boxes.values[index]) { unused.append(boxes[index].key) }
            boxes.formIndex(after: &index)
        }
        for id in unused { boxes[id] = nil }
        // As many as it has left come before it looks again, which is what makes it cheap.
        limit = max(1_024, 2 * boxes.count)
    }
}
