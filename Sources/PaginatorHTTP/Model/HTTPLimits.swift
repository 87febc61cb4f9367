/// The limits of what a server may send. A transfer that exceeds one ends at once, with an error that names the limit.
public struct HTTPLimits: Sendable, Hashable {
    /// The most bytes of a body after decompression, 16 MiB by default.
    ///
    /// A compressed body is decoded in steps, and the transfer ends at the limit. On Linux the system still decodes the
    /// bytes that it had received by then, which takes time but at most about a megabyte of memory.
    public var bodyBytes = 16 * 1_024 * 1_024

    /// The most bytes of a failed response's body that are kept, 64 KiB by default; 0 for none. Longer bodies are cut.
    public var errorBodyBytes = 64 * 1_024

    /// The most bytes of all header fields of a response, 64 KiB by default.
    public var headerBytes = 64 * 1_024

    /// The most items of one page, 5,000 by default. A page must not have more items than asked for either; see
    /// ``HTTPSourceOptions/allowsLargerPages``.
    public var itemsPerPage = 5_000

    /// The deepest nesting of lists and objects, 64 by default.
    public var jsonDepth = 64

    /// The most bytes of a cursor or a next address, 4,096 by default, which is the default limit of a paginator's
    /// keys.
    public var cursorBytes = 4_096

    /// The most redirects that are followed, 5 by default.
    public var redirects = 5

    /// The most pages that are followed from the first page on, 100,000 by default.
    public var pagesPerWalk = 100_000

    /// The longest time for each ``slowestBytes`` of a body, 10 seconds by default; it starts when the header has come.
    public var slowestInterval: Duration = .seconds(10)

    /// The fewest bytes of a body in each ``slowestInterval``, 1,024 by default; the last ones may be fewer.
    public var slowestBytes = 1_024

    /// Makes limits with every default.
    public init() {}
}
