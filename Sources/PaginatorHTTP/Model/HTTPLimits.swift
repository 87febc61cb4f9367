/// Limits for what a server may send. A transfer that exceeds one ends at once, with an error that names the limit.
public struct HTTPLimits: Sendable, Hashable {
    /// The greatest number of bytes of a body after decompression; 16 MiB by default.
    ///
    /// A compressed body is decoded in steps, and the transfer ends at the limit. On Linux the system still decodes the
    /// bytes received by then, which takes time but at most about a megabyte of memory.
    public var bodyBytes = 16 * 1_024 * 1_024

    /// The number of bytes kept of a failed response's body; 64 KiB by default, 0 for none. Longer bodies are cut.
    public var errorBodyBytes = 64 * 1_024

    /// The greatest number of bytes of a response's header fields; 64 KiB by default.
    public var headerBytes = 64 * 1_024

    /// The greatest number of items of a page; 5,000 by default. A page must not exceed the requested size either; see
    /// ``HTTPSourceOptions/allowsLargerPages``.
    public var itemsPerPage = 5_000

    /// The greatest nesting depth of lists and objects; 64 by default. Each line and each event counts alone.
    public var jsonDepth = 64

    /// The greatest number of bytes of a cursor or a next address; 4,096 by default, like a paginator's limit for keys.
    public var cursorBytes = 4_096

    /// The greatest number of redirects to follow; 5 by default.
    public var redirects = 5

    /// The greatest number of pages to follow from the first page on; 100,000 by default.
    public var pagesPerWalk = 100_000

    /// The interval in which ``slowestBytes`` of a body must arrive; 10 seconds by default. It starts after the header.
    public var slowestInterval: Duration = .seconds(10)

    /// The smallest number of bytes of a body in each ``slowestInterval``, except the last; 1,024 by default.
    public var slowestBytes = 1_024

    /// Creates limits with the default values.
    public init() {}
}
