/// What a server may send at the most. Whatever goes beyond ends its transfer at once, with an error that names the limit.
public struct HTTPLimits: Sendable, Hashable {
    /// The bytes of a body after decompression, 16 MiB by default.
    ///
    /// A compressed body is decoded in steps, and the transfer ends where it goes beyond. On Linux the system goes on
    /// decoding what has come over the wire by then; that costs time, but memory for no more than a megabyte.
    public var bodyBytes = 16 * 1_024 * 1_024

    /// The bytes of a failure's body that an app can read, 64 KiB by default; 0 for none. What is longer is cut.
    public var errorBodyBytes = 64 * 1_024

    /// The bytes of all header fields of a response, 64 KiB by default.
    public var headerBytes = 64 * 1_024

    /// The items of one page, 5,000 by default. A page must not have more items than asked for either; see
    /// ``HTTPSourceOptions/allowsLargerPages``.
    public var itemsPerPage = 5_000

    /// How deep lists and objects may lie in one another, 64 by default.
    public var jsonDepth = 64

    /// The bytes of a cursor or of a next address, 4,096 by default: what a paginator takes for a key.
    public var cursorBytes = 4_096

    /// How many redirects are followed, 5 by default.
    public var redirects = 5

    /// The pages of one walk from the first page, 100,000 by default.
    public var pagesPerWalk = 100_000

    /// How long a body may take for each ``slowestBytes``, 10 seconds by default. The time starts with the header.
    public var slowestInterval: Duration = .seconds(10)

    /// How many bytes of a body must come within ``slowestInterval``, 1,024 by default; fewer at its end are fine.
    public var slowestBytes = 1_024

    /// Makes limits with every default.
    public init() {}
}
