/// What the adaptive order knows of each page that it watches, of those too that are not in the cache any more; pages are
/// numbers from 0.
struct WatchedPages: Sendable {
    /// Whether a page is in the cache.
    enum Presence: Equatable, Sendable {
        /// It is, with this handle.
        case here(Int32)
        /// It is not, because the leader would not have it.
        case away
        /// It is not, for another reason.
        case takenOut
        /// The number stands for no page.
        case unused
    }

    /// A page's standing with the cache and the policies.
    struct Page: Sendable {
        fileprivate let hash: UInt64
        fileprivate(set) var weight: Int
        var presence = Presence.away
        var isRecent = false
        var lirs = LIRSShadow.State.unknown
        var s3fifo = S3FIFOShadow.State.unknown
        var s3fifoUses: UInt8 = 0
    }

    private var pages: ContiguousArray<Page> = []
    private var links = ListLinks()
    /// By hash. Two keys of one hash count as one.
    private var numbers = HashIndex()
    private var free: ContiguousArray<Int> = []

    /// The number of pages watched.
    var count: Int { numbers.count }

    /// What is known of a page.
    subscript(number: Int) -> Page {
        get { pages[number] }
        _modify { yield &pages[number] }
    }

    /// Whether the page is not in the cache.
    func isAway(_ number: Int) -> Bool { pages[number].presence == .away || pages[number].presence == .takenOut }

    /// Returns the page's handle; `nil` when it is not in the cache.
    func handle(of number: Int) -> PageHandle? {
        if case .here(let index) = pages[number].presence { PageHandle(index: Int(index)) } else { nil }
    }

    /// Finds or makes the number of a page that comes.
    mutating func number(for page: PageHandle, hash keyHash: UInt64, weight: Int) -> (number: Int, isKnown: Bool) {
        var hash = keyHash
        while let number = numbers.number(of: hash, where: { pages[$0].hash == hash }) {
            if isAway(number) { return (number, true) }
            // Another page in the cache has this hash: this one is watched under a hash of its own.
            // A factor of one modulo four and an odd summand: no hash comes twice (Hull and Dobell, 1962).
            hash = hash &* 0x9e37_79b9_7f4a_7c15 &+ (UInt64(page.index) << 1 | 1)
        }
        let fresh = Page(hash: hash, weight: weight)
        let number = free.popLast() ?? pages.count
        if number == pages.count { pages.append(fresh) } else { pages[number] = fresh }
        numbers.insert(number, hash: hash)
        return (number, false)
    }

    /// Changes what a page weighs, which the policies that hold it have been told.
    mutating func reweigh(_ number: Int, _ weight: Int) { pages[number].weight = weight }

    /// Gives a number back that is in no list.
    mutating func forget(_ number: Int) {
        numbers.remove(number, hash: pages[number].hash)
        pages[number].presence = .unused
        free.append(number)
    }
}

// MARK: - Lists

/// A list of watched pages, with its links in ``WatchedPages``.
struct WatchedList: Sendable {
    /// How many lists a page can be in at once.
    static let places = 7
    /// The greatest number of a page, so that all links fit into 32 bits.
    static let maxPages = Int(Int32.max) / places

    /// Which of a page's links this list uses; lists of which a page is in at most one can share them.
    fileprivate let place: Int
    fileprivate var list = LinkedList()

    init(place: Int) {
        self.place = place
    }

    /// The number of pages.
    var count: Int { list.count }

    /// The page at the front.
    var first: Int? { list.first.map { $0 / Self.places } }

    /// A page's links lie side by side, because a read needs most of them.
    fileprivate func element(_ page: Int) -> Int { page * Self.places + place }
}

extension WatchedPages {
    /// Whether the page is in this list, or in one that shares its links.
    func contains(_ page: Int, in list: WatchedList) -> Bool { links.contains(list.element(page)) }

    /// Returns the page behind a page of a list.
    func page(after page: Int, in list: WatchedList) -> Int? {
        links.element(after: list.element(page)).map { $0 / WatchedList.places }
    }

    /// Puts a page at the back that is in no list with these links.
    mutating func append(_ page: Int, to list: inout WatchedList) { links.append(list.element(page), to: &list.list) }

    /// Takes a page out of the list that it is in.
    mutating func remove(_ page: Int, from list: inout WatchedList) {
        links.remove(list.element(page), from: &list.list)
    }

    /// Moves a page of a list to the back.
    mutating func moveToBack(_ page: Int, of list: inout WatchedList) {
        links.moveToBack(list.element(page), of: &list.list)
    }
}
