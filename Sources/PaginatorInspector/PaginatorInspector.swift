#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import PaginatorCore
import PaginatorTesting

/// Records what paginators do, so that it can be looked at: in the browser, as a text, or as a trace in Perfetto.
///
/// ```swift
/// let inspector = PaginatorInspector()
/// let attachment = inspector.attach(paginator, name: "Feed")
/// ```
///
/// It keeps the last events in a bounded memory, and no object of the app. A paginator to which nothing is attached does not
/// notice it, and one that is attached need not have an observer. By default it is active in debug builds only. Every call
/// may come from any thread.
public final class PaginatorInspector: Sendable {
    let config: PaginatorInspectorConfig
    let recorder: Recorder
    let watched = Guarded<[UInt16: Watched]>([:])
    let start: PaginatorInstant
    /// What ends with the inspector.
    let lifetimes = Guarded<[any Sendable]>([])

    /// What is attached, without being kept alive.
    struct Watched: Sendable {
        /// `nil` when it is no more.
        let state: @Sendable () -> JSONValue?
        let perform: @Sendable (PaginatorInspectorCommand) -> Void
    }

    /// Makes an inspector to which nothing is attached.
    ///
    /// - Parameter config: what it keeps, and what it may show.
    public init(config: PaginatorInspectorConfig = PaginatorInspectorConfig()) {
        self.config = config
        start = config.clock.now
        var info = RecordingInfo()
        info.app = config.appName
        info.started = config.clock.wallTime.ISO8601Format()
        info.clock =
            config.clock is SystemPaginatorClock
            ? "system" : config.clock is ManualPaginatorClock ? "manual" : "simulated"
        info.seed = config.seed
        info.kinds = RecordingNames.kinds
        info.origins = RecordingNames.origins
        info.causes = RecordingNames.causes
        recorder = Recorder(info: info, maxEvents: config.maxEvents, maxTextBytes: config.maxTextBytes)
    }

    /// Records the events of a paginator until the attachment is released.
    ///
    /// - Parameters:
    ///   - paginator: which one; it is not kept alive.
    ///   - name: its name for people, which files contain.
    /// - Returns: what ends the recording when it is released.
    public func attach<T>(_ paginator: CallbackPaginator<T>, name: String) -> PaginatorAttachment {
        let engine = paginator.engine
        let times = TimeLine(self, clock: engine.clock)
        return attach(.paginator, name, Watched(state: { nil }, perform: { _ in })) { [recorder] subject in
            engine.tap { event in recorder.record(event, of: subject, at: times.time(of: event.time)) }
        }
    }

    /// Everything that is kept, with the states as they are now.
    ///
    /// Complexity: O(what is kept).
    public func recording() -> PaginatorRecording { recorder.recording() }

    private func attach(
        _ kind: RecordedSubject.Kind, _ name: String, _ subject: Watched,
        _ begin: (_ subject: UInt16) -> @Sendable () -> Void
    ) -> PaginatorAttachment {
        guard config.isEnabled, let number = recorder.add(kind, name, { _ in }) else {
            return PaginatorAttachment(subject: nil) {}
        }
        watched.withLock { $0[number] = subject }
        let end = begin(number)
        return PaginatorAttachment(subject: number) { [recorder, watched] in
            end()
            let gone = watched.withLock { $0.removeValue(forKey: number) }
            withExtendedLifetime(gone) {}
            recorder.detach(number)
        }
    }
}

/// Puts times of a subject's clock in relation to the recording.
struct TimeLine: Sendable {
    /// Nanoseconds that are to be added.
    private let shift: Double

    init(_ inspector: PaginatorInspector, clock: any PaginatorClock) {
        let elapsed = inspector.start.duration(to: inspector.config.clock.now).wholeNanoseconds
        shift = Double(elapsed) - Double(clock.now.nanoseconds)
    }

    func time(of instant: PaginatorInstant) -> Double { Double(instant.nanoseconds) + shift }
}
