import PaginatorCore

/// One step of an image's appearance.
package enum ImageStep: Sendable {
    /// Something lesser, or the placeholder, until the image is there.
    case preview(MediaItem, ImageQuality)
    /// The image in its quality, or in the best that could be had; the last step.
    case image(MediaItem, ImageQuality)
    /// Nothing more will come; what was shown may stay. The last step.
    case failed(MediaError)
}

/// An image that somebody waits for.
package final class ImageRequest: Sendable {
    private struct State: Sendable {
        var ladder: ImageLadder
        var executions: [PaginatorExecution] = []
        var isOver = false
        var error = MediaError(.failed)
    }

    private let paginator: CallbackPaginator<MediaItem>
    private let path: MediaPath
    private let priority: FetchPriority
    private let onStep: @Sendable (ImageStep) -> Void
    private let state: Guarded<State>

    init(
        _ paginator: CallbackPaginator<MediaItem>, _ path: MediaPath, _ wanted: ImageQuality, _ priority: FetchPriority,
        _ onStep: @escaping @Sendable (ImageStep) -> Void
    ) {
        self.paginator = paginator
        self.path = path
        self.priority = priority
        self.onStep = onStep
        state = Guarded(State(ladder: ImageLadder(wanted: wanted, hasQualities: path.hasQualities)))
    }

    /// Takes the interest back, such as when the image is scrolled away: no step begins after this call, and a load that
    /// nobody else waits for is stopped.
    package func cancel() {
        let executions = state.withLock { state in
            state.isOver = true
            state.ladder.cancel()
            defer { state.executions = [] }
            return state.executions
        }
        for execution in executions { execution.cancel() }
    }

    func begin() {
        let inMemory = ImageQuality.allCases.filter {
            path.hasQualities && paginator.peek(key: path.key($0), pageSize: 1) != nil
        }
        perform(state.withLock { $0.ladder.begin(inMemory: Set(inMemory)) })
    }

    private func perform(_ actions: [ImageLadder.Action]) {
        for action in actions {
            switch action {
            case .load(let quality): fetch(quality, policy: .cacheFirst) { self.came($0, quality) }
            case .lookUp(let quality): fetch(quality, policy: .cacheOnly) { self.came($0, quality) }
            case .show(let quality, let isFinal):
                // A preview that was in memory a moment ago is asked for like everything else, so that steps come on
                // the loader's queue only.
                fetch(quality, policy: .cacheOnly) { result in
                    guard case .success(let fetched) = result, let item = fetched.page.content.first else {
                        return self.end(.failed(MediaError(.failed)), isLast: isFinal)
                    }
                    self.end(isFinal ? .image(item, quality) : .preview(item, quality), isLast: isFinal)
                }
            case .fail: end(.failed(state.withLock { $0.error }), isLast: true)
            }
        }
    }

    /// Takes what came, on the loader's queue, and shows it there and then.
    private func came(_ result: Result<FetchedPage<MediaItem>, PaginatorError>, _ quality: ImageQuality) {
        let item: MediaItem? = if case .success(let fetched) = result { fetched.page.content.first } else { nil }
        let actions = state.withLock { state -> [ImageLadder.Action] in
            if case .failure(let error) = result { state.error = MediaError(error) }
            return item == nil ? state.ladder.failed(quality) : state.ladder.loaded(quality)
        }
        for action in actions {
            if case .show(quality, let isFinal) = action, let item {
                end(isFinal ? .image(item, quality) : .preview(item, quality), isLast: isFinal)
            } else {
                perform([action])
            }
        }
    }

    private func end(_ step: ImageStep, isLast: Bool) {
        let (isOver, executions) = state.withLock { state -> (Bool, [PaginatorExecution]) in
            guard !state.isOver else { return (true, []) }
            guard isLast else { return (false, []) }
            state.isOver = true
            defer { state.executions = [] }
            return (false, state.executions)
        }
        guard !isOver else { return }
        onStep(step)
        for execution in executions { execution.cancel() }
    }

    private func fetch(
        _ quality: ImageQuality, policy: FetchPolicy,
        completion: @escaping @Sendable (Result<FetchedPage<MediaItem>, PaginatorError>) -> Void
    ) {
        let urgency = quality == .placeholder ? FetchPriority.high : priority
        let listener = StepListener(completion)
        let request = PageRequest(key: path.key(quality), pageSize: 1, priority: urgency, policy: policy)
        let execution = paginator.fetch(request, listener: listener)
        let isOver = state.withLock { state in
            if !state.isOver { state.executions.append(execution) }
            return state.isOver
        }
        if isOver { execution.cancel() }
    }
}

/// A listener that is a closure.
///
/// `@unchecked Sendable`: its only state never changes.
final class StepListener: PaginatorFetchListener<MediaItem>, @unchecked Sendable {
    private let completion: @Sendable (Result<FetchedPage<MediaItem>, PaginatorError>) -> Void

    init(_ completion: @escaping @Sendable (Result<FetchedPage<MediaItem>, PaginatorError>) -> Void) {
        self.completion = completion
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<MediaItem>, PaginatorError>) { completion(result) }
}
