package import PaginatorCore

/// The configuration of the batching and writing of a ``PageFileStore``. Each variable documents its default.
public struct WriteBehindConfig: Sendable {
    /// The time that a change waits to be written with others; 50 milliseconds by default. A killed process loses at
    /// most the waiting changes. A flush or a full batch is written at once.
    public var linger: Duration = .milliseconds(50)

    /// The maximum number of changes in a commit; 256 by default. A commit begins at once when that many wait.
    public var maxBatchChanges = 256

    /// The maximum number of bytes of pages in a commit; 4 MB by default. A commit begins at once when that many wait.
    public var maxBatchBytes = 4_000_000

    /// The number of waiting changes from which `accepted` is delayed; 1,024 by default. From four times as many, pages
    /// are not stored, and `accepted` reports their number. With more than 16 times as many, and more than 16,384,
    /// everything is removed instead, which `accepted` and flushes report.
    public var maxPendingChanges = 1_024

    /// The bytes of waiting pages from which `accepted` is delayed; 16 MB by default. Four times as many have the
    /// effect that ``maxPendingChanges`` describes.
    public var maxPendingBytes = 16_000_000

    /// The number of parallel reads of the file; 4 by default, at least 1.
    public var maxParallelReads = 4

    /// The pause after a failed commit; 1 second by default. It doubles with each further failure.
    public var retryPause: Duration = .seconds(1)

    /// The longest pause after a failed commit; 60 seconds by default.
    public var maxRetryPause: Duration = .seconds(60)

    /// The pause after the file was busy; 10 milliseconds by default. It doubles up to a second.
    public var busyPause: Duration = .milliseconds(10)

    /// The number of consecutive busy attempts that count as a failure; 20 by default.
    public var maxBusyAttempts = 20

    /// The executor of reads and commits; set by simulations.
    package var executor: any WorkExecutor = QueueExecutor.work

    /// The lowest number of waiting changes above which everything may be removed instead. A paginator passes on no
    /// more than this without an answer, see `StoreCalls.changeLimit`. Simulations set a smaller one.
    package var leastChangeLimit = 16_384

    /// The longest pause after the file was busy.
    static var maxBusyPause: Duration { .seconds(1) }

    /// Creates a configuration with the default values.
    public init() {}

    /// Returns the configuration with every number in the machine's range.
    var normalized: WriteBehindConfig {
        var config = self
        config.linger = max(.zero, linger)
        config.maxBatchChanges = max(1, maxBatchChanges)
        config.maxBatchBytes = max(1, maxBatchBytes)
        config.maxPendingChanges = min(max(1, maxPendingChanges), Int.max / 64)
        config.maxPendingBytes = min(max(1, maxPendingBytes), Int.max / 64)
        config.maxParallelReads = max(1, maxParallelReads)
        config.retryPause = max(.milliseconds(1), retryPause)
        config.maxRetryPause = max(config.retryPause, maxRetryPause)
        config.busyPause = max(.milliseconds(1), busyPause)
        return config
    }
}
