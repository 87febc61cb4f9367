package import PaginatorCore

/// How a ``PageFileStore`` collects changes and writes them. Every variable has a default, stated with it.
public struct WriteBehindConfig: Sendable {
    /// How long a change may wait for others before they are written together, 50 milliseconds by default. A killed
    /// process loses at most what waits. A flush, and a full batch, are not waited for.
    public var linger: Duration = .milliseconds(50)

    /// How many changes one commit may hold, 256 by default; a commit begins at once when as many wait.
    public var maxBatchChanges = 256

    /// How many bytes of pages one commit may hold, 4 MB by default; a commit begins at once when as many wait.
    public var maxBatchBytes = 4_000_000

    /// How many changes may wait before `accepted` is withheld, 1,024 by default. From four times as many on, pages are
    /// not stored, and their number is reported with `accepted`.
    public var maxPendingChanges = 1_024

    /// How many bytes of pages may wait before `accepted` is withheld, 16 MB by default; four times as many as with
    /// ``maxPendingChanges``.
    public var maxPendingBytes = 16_000_000

    /// How many reads of the file run at once, 4 by default; values below 1 count as 1.
    public var maxParallelReads = 4

    /// The pause after a failed commit, 1 second by default; it doubles with each further failure.
    public var retryPause: Duration = .seconds(1)

    /// The longest pause after a failed commit, 60 seconds by default.
    public var maxRetryPause: Duration = .seconds(60)

    /// The pause after the file was busy, 10 milliseconds by default; it doubles up to a second.
    public var busyPause: Duration = .milliseconds(10)

    /// How many times in a row the file may be busy before that counts as a failure, 20 by default.
    public var maxBusyAttempts = 20

    /// Where reads and commits run; the simulation brings its own.
    package var executor: any WorkExecutor = QueueExecutor.work

    /// Makes a configuration with every default.
    public init() {}

    /// The configuration with every number where the machine can work with it.
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
        config.maxBusyAttempts = max(1, maxBusyAttempts)
        return config
    }
}
