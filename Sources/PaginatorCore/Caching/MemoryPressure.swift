#if canImport(Darwin)
    import Dispatch

    /// Watches the system's memory pressure for as long as it lives.
    ///
    /// `@unchecked Sendable`: `source` is a Dispatch object, which may be used from any thread, and never changes.
    final class MemoryPressure: @unchecked Sendable {
        private let source: any DispatchSourceMemoryPressure

        init(_ trim: @escaping @Sendable (_ fraction: Double) -> Void) {
            source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
            source.setEventHandler { [weak self] in
                guard let self else { return }
                trim(source.data.contains(.critical) ? 0.1 : 0.5)
            }
            source.activate()
        }

        deinit {
            source.cancel()
        }
    }
#endif
