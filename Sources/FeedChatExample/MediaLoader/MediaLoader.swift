package import AppFoundation
package import Foundation
import PaginatorAsync
package import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

/// Loads images and segments of videos, with a memory cache and a cache file.
///
/// A medium is a page of one item whose key is its address, so the library provides what a media loader needs: one
/// request per address for all callers; a memory and a disk cache with eviction; retries and limits; cancellation
/// without waiters; and prefetching that pauses on a weak link, in low power and in the background. Nothing is decoded
/// or read from disk on the main thread.
///
///     let media = try await MediaLoader.open(folder, api: api, environment: environment)
///     let request = media.image(path, shownWidth: 480) { step in ... }
///     request.cancel()                                       // scrolled away
///
/// Steps are delivered on the loader's own serial queue, one at a time, and never inside a call.
package final class MediaLoader: Sendable {
    /// The limits of the caches.
    package struct Limits: Sendable, Hashable {
        /// Bytes in memory.
        package var memory = 32_000_000
        /// Bytes on disk.
        package var disk = 150_000_000
        /// The lifetime of a medium.
        package var lifetime: Duration = .days(15)
        /// The number of parallel loads.
        package var parallelLoads = 4

        package init() {}
    }

    package let chooser: QualityChooser
    package let environment: AppEnvironment
    let paginator: CallbackPaginator<MediaItem>
    let clock: any PaginatorClock
    private let observation: Guarded<(any AnyObject & Sendable)?>

    private init(
        _ paginator: CallbackPaginator<MediaItem>, environment: AppEnvironment, chooser: QualityChooser,
        clock: any PaginatorClock
    ) {
        self.paginator = paginator
        self.clock = clock
        self.environment = environment
        self.chooser = chooser
        observation = Guarded(nil)
        let token = environment.observeState { [weak paginator, weak environment] _ in
            guard let paginator, let environment else { return }
            Self.follow(environment.state.lifecycle, paginator)
        }
        observation.withLock { $0 = token }
        Self.follow(environment.state.lifecycle, paginator)
    }

    /// Opens the caches.
    ///
    /// - Parameters:
    ///   - folder: the signed-in user's folder; the cache is `media.sqlite` in it.
    ///   - api: loads media that are not cached.
    ///   - environment: pauses loads in the background, and selects qualities.
    ///   - observer: gets the events of hits, loads and evictions.
    /// - Throws: a `PaginatorError` if the file cannot be opened.
    @concurrent
    package static func open(
        _ folder: URL, api: APIClient, environment: AppEnvironment, chooser: QualityChooser = QualityChooser(),
        limits: Limits = Limits(), clock: any PaginatorClock = SystemPaginatorClock(),
        observer: (any PaginatorObserver)? = nil
    ) async throws -> MediaLoader {
        var config = PaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxBytes: limits.memory).and(.timeToLive(limits.lifetime))
        config.maxParallelCalls = limits.parallelLoads
        config.maxAttempts = 2
        config.connectivity = environment
        config.clock = clock
        config.observer = observer
        let store = try SQLitePageStore<MediaItem>(
            path: folder.appendingPathComponent("media.sqlite").path, namespace: "media", codec: RawPageCodec(),
            evictionStrategy: .lru(maxBytes: limits.disk).and(.timeToLive(limits.lifetime)))
        let paginator = CallbackPaginator<MediaItem>(
            dataSource: source(api), validator: .closure { page, _ in judge(page) }, store: store, config: config)
        return MediaLoader(paginator, environment: environment, chooser: chooser, clock: clock)
    }

    private static func source(_ api: APIClient) -> AsyncDataSource<MediaItem> {
        let errorRule: @Sendable (any Error) -> SourceError = { error in
            guard let error = error as? APIError else { return .retry(error) }
            if error.outboxFailure.kind == .refused { return .fatal(error) }
            return error.retryAfter.map { .retry(error, after: $0) } ?? .retry(error)
        }
        return AsyncDataSource(firstKey: "/", errorRule: errorRule) { request in
            let parts = request.key.split(separator: "?", maxSplits: 1)
            let query = parts.dropFirst().first.map { $0.split(separator: "=", maxSplits: 1) } ?? []
            let response = try await api.send(
                APIRequest(
                    "GET", parts.first.map(String.init) ?? "",
                    query: query.count == 2 ? [(String(query[0]), String(query[1]))] : []))
            let item = MediaItem([UInt8](response.body))
            return PaginatorPage(content: [item], key: request.key, byteCount: response.body.count)
        }
    }

    /// Rejects empty media, and images that are not images.
    private static func judge(_ page: PaginatorPage<MediaItem>) -> PageVerdict {
        guard let item = page.content.first, !item.bytes.isEmpty else { return .fail(reason: "empty") }
        guard page.key.hasPrefix("/cdn/images/") else { return .accept }
        do {
            _ = try item.value
            return .accept
        } catch {
            return .fail(reason: "not an image")
        }
    }

    private static func follow(_ lifecycle: AppEnvironment.Lifecycle, _ paginator: CallbackPaginator<MediaItem>) {
        if lifecycle == .foreground {
            paginator.resume()
        } else {
            paginator.suspend()
            paginator.flush { _ in }
        }
    }

    /// Loads an image and reports its steps, until the last one or ``ImageRequest/cancel()``.
    ///
    /// - Parameters:
    ///   - shownWidth: the width of its place in pixels; `nil` for the whole screen.
    ///   - priority: the priority; high for visible images.
    ///   - onStep: called with each step.
    @discardableResult
    package func image(
        _ path: MediaPath, shownWidth: Int? = nil, priority: FetchPriority = .high,
        onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest {
        let wanted = chooser.image(shownWidth: shownWidth, environment.state)
        let request = ImageRequest(paginator, path, wanted, priority, onStep)
        request.begin()
        return request
    }

    /// Prefetches images that are likely to be shown next.
    ///
    /// - Returns: the execution, which cancels the remaining loads.
    @discardableResult
    package func prefetch(_ paths: [MediaPath], shownWidth: Int? = nil) -> PaginatorExecution {
        let wanted = chooser.image(shownWidth: shownWidth, environment.state)
        return paginator.prefetch(keys: paths.map { $0.key(wanted) }, pageSize: 1)
    }

    /// Plays a video: its segments in order, each in a quality that the network can deliver in time.
    package func video(_ path: MediaPath, segments: Int = 10) -> VideoPlayback {
        VideoPlayback(self, path, segments: segments)
    }

    /// Looks up a medium in the caches, by its key.
    ///
    /// - Returns: the number of its bytes; `nil` if it is not cached.
    package func lookUp(_ key: String) async -> Int? {
        do throws(PaginatorError) {
            return try await paginator.fetch(key: key, pageSize: 1, policy: .cacheOnly).content.first?.bytes.count
        } catch {
            return nil
        }
    }

    /// Frees most of the memory, for example at the system's request.
    package func trim() { paginator.trim(toFraction: 0.1) }

    /// Empties the caches in memory and on disk; images are loaded again when they are shown.
    package func removeAll() async {
        do throws(PaginatorError) {
            try await paginator.clearAllAndWait()
        } catch {
            // Media that could not be removed expire.
        }
    }

    /// Writes unsaved media, and closes the file, which can then be deleted.
    package func shutDown() async throws(PaginatorError) {
        observation.withLock { $0 = nil }
        try await paginator.shutdownAndWait()
    }
}
