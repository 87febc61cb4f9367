import AppFoundation
import PaginatorCore
import PaginatorStorage

/// A segment of a video.
package struct VideoSegment: Sendable {
    package let index: Int
    package let quality: VideoQuality
    package let item: MediaItem
    /// Whether it was cached.
    package let isCached: Bool
}

/// A playing video: its segments in order, with the next one prefetched.
package final class VideoPlayback: Sendable {
    private struct State {
        var chooser = SegmentChooser()
        var next = 0
        var ahead: PaginatorExecution?
        var execution: PaginatorExecution?
        var isCancelled = false
    }

    private let loader: MediaLoader
    private let path: MediaPath
    private let count: Int
    private let clock: any PaginatorClock
    private let state = Guarded(State())

    init(_ loader: MediaLoader, _ path: MediaPath, segments: Int) {
        self.loader = loader
        self.path = path
        count = max(0, segments)
        clock = loader.clock
    }

    /// Loads the next segment; `nil` after the last one.
    ///
    /// One call at a time. After a failure, the next call loads the same segment.
    ///
    /// - Throws: ``MediaError/Kind/cancelled`` after ``cancel()``.
    package func next() async throws(MediaError) -> VideoSegment? {
        let limit = loader.chooser.video(loader.environment.state)
        let (index, quality) = state.withLock { ($0.next, $0.chooser.next(limit: limit)) }
        guard index < count else { return nil }
        let start = clock.now
        let result = await withCheckedContinuation { continuation in
            let execution = loader.paginator.fetch(
                key: path.key(quality, segment: index), pageSize: 1, priority: .high,
                completion: { continuation.resume(returning: $0) })
            let isCancelled = state.withLock { state in
                state.execution = execution
                return state.isCancelled
            }
            if isCancelled { execution.cancel() }
        }
        switch result {
        case .failure(let error): throw MediaError(error)
        case .success(let fetched):
            guard let item = fetched.page.content.first else { throw MediaError(.missing) }
            let seconds = start.duration(to: clock.now).inSeconds
            let isCached = fetched.origin != .source
            let ahead = state.withLock { state -> VideoQuality in
                if !isCached { state.chooser.loaded(bytes: item.bytes.count, in: seconds) }
                state.next = index + 1
                state.execution = nil
                var copy = state.chooser
                return copy.next(limit: limit)
            }
            loadAhead(index + 1, ahead)
            return VideoSegment(index: index, quality: quality, item: item, isCached: isCached)
        }
    }

    /// Ends the playback and stops its loads.
    package func cancel() {
        let executions = state.withLock { state in
            state.isCancelled = true
            defer { (state.execution, state.ahead) = (nil, nil) }
            return [state.execution, state.ahead].compactMap(\.self)
        }
        for execution in executions { execution.cancel() }
    }

    private func loadAhead(_ index: Int, _ quality: VideoQuality) {
        guard index < count, !state.withLock({ $0.isCancelled }) else { return }
        let execution = loader.paginator.prefetch(keys: [path.key(quality, segment: index)], pageSize: 1)
        state.withLock { $0.ahead = execution }
    }
}
