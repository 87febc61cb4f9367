import PaginatorCore

/// One step of an image's appearance.
package enum ImageStep: Sendable {
    /// A lower quality, or the placeholder, until the image is loaded.
    case preview(MediaItem, ImageQuality)
    /// The image in its quality, or the best available one; the last step.
    case image(MediaItem, ImageQuality)
    /// No further step follows; the shown image may stay. The last step.
    case failed(MediaError)
}

/// A request for an image.
package final class ImageRequest: Sendable {
    private struct State: Sendable {
        var steps: ImageQualitySteps
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
        state = Guarded(State(steps: ImageQualitySteps(wanted: wanted, hasQualities: path.hasQualities)))
    }

    /// Cancels the request, for example when the image is scrolled away: no step follows, unless one is about to begin
    /// on the loader's queue, and a load without other waiters is stopped.
    package func cancel() {
        let executions = state.withLock { state in
            state.isOver = true
            state.steps.cancel()
            defer { state.executions = [] }
            return state.executions
        }
        for execution in executions { execution.cancel() }
    }

    func begin() {
        let inMemory = ImageQuality.allCases.filter {
            path.hasQualities && paginator.peek(key: path.key($0), pageSize: 1) != nil
        }
        perform(state.withLock { $0.steps.begin(inMemory: Set(inMemory)) })
    }

    private func perform(_ actions: [ImageQualitySteps.Action]) {
        for action in actions {
            switch action {
            case .load(let quality): fetch(quality, policy: .cacheFirst) { self.came($0, quality) }
            case .lookUp(let quality): fetch(quality, policy: .cacheOnly) { self.came($0, quality) }
            case .show(let quality, let isFinal):
                // A preview from memory is requested like everything else, so that steps are delivered only on the
                // loader's queue.
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

    /// Handles a result on the loader's queue, and shows it at once.
    private func came(_ result: Result<FetchedPage<MediaItem>, PaginatorError>, _ quality: ImageQuality) {
        let item: MediaItem? = if case .success(let fetched) = result { fetched.page.content.first } else { nil }
        let actions = state.withLock { state -> [ImageQualitySteps.Action] in
            if case .failure(let error) = result { state.error = MediaError(error) }
            return item == nil ? state.steps.failed(quality) : state.steps.loaded(quality)
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
        let execution = paginator.fetch(
            key: path.key(quality), pageSize: 1, priority: urgency, policy: policy, completion: completion)
        let isOver = state.withLock { state in
            if !state.isOver { state.executions.append(execution) }
            return state.isOver
        }
        if isOver { execution.cancel() }
    }
}
