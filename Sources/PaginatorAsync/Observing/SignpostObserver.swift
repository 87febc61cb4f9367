#if canImport(os)
    import os
    public import PaginatorCore

    /// An observer that shows a paginator's events in Instruments.
    ///
    /// ```swift
    /// config.observer = SignpostObserver(subsystem: "com.example.app")
    /// ```
    ///
    /// Loads, store reads, attempts and validations are intervals with an id each. Everything else is an event, with
    /// its duration in the text if it has one. Pages are named by a hash. Use one observer for each paginator, or
    /// intervals of equally named pages are mixed up.
    public final class SignpostObserver: PaginatorObserver {
        private let signposter: OSSignposter
        private let open = Guarded(OpenSteps<OSSignpostIntervalState>())

        /// Creates an observer.
        ///
        /// - Parameters:
        ///   - subsystem: the subsystem of the signposts, such as the app's bundle identifier.
        ///   - category: the category of the signposts; "paginator" by default.
        public init(subsystem: String, category: String = "paginator") {
            signposter = OSSignposter(subsystem: subsystem, category: category)
        }

        /// Begins and ends intervals, or marks the event.
        public func paginatorDidReport(_ event: PaginatorEvent) {
            let text = event.text(showsUserData: false)
            let isStep = open.withLock { steps in
                var isStep = false
                steps.take(event) { step in
                    isStep = true
                    let id = signposter.makeSignpostID()
                    return signposter.beginInterval(step.name, id: id, "\(text, privacy: .public)")
                } end: { step, state in
                    isStep = true
                    signposter.endInterval(step.name, state, "\(text, privacy: .public)")
                }
                return isStep
            }
            if !isStep { signposter.emitEvent("event", id: .exclusive, "\(text, privacy: .public)") }
        }
    }

    extension LoadStep {
        fileprivate var name: StaticString {
            switch self {
            case .load: "load"
            case .storeRead: "store read"
            case .attempt: "attempt"
            case .validation: "validate"
            }
        }
    }
#endif
