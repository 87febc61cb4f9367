#if canImport(Darwin)
    import Dispatch

    /// Watches the system's memory pressure until it is released.
    ///
    /// `@unchecked Sendable`: `source` never changes, and a Dispatch object may be used from any thread.
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
