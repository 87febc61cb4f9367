import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Records the activity of paginators, to be shown in the browser, as text, or as a trace in Perfetto.
///
/// ```swift
/// let inspector = PaginatorInspector()
/// let attachment = inspector.attach(paginator, name: "Feed")
/// ```
///
/// It keeps the last events in bounded memory, and retains no object of the app. A paginator that is not attached is
/// not affected, and an attached one needs no observer. By default it is active in debug builds only. Every method may
/// be called from any thread.
public final class PaginatorInspector: Sendable {
    let config: PaginatorInspectorConfig
    let recorder: Recorder
    let watched = Guarded<[UInt16: Watched]>([:])
    /// The number of connected browsers.
    let visitors = Guarded(0)
    let lastSerial = Guarded<UInt64>(0)
    let start: PaginatorInstant
    /// Objects to release with the inspector.
    let lifetimes = Guarded<[any Sendable]>([])
    /// When states were last recorded for a browser.
    let lastStates = Guarded<PaginatorInstant?>(nil)
    /// Whether states are recorded automatically.
    let takesStates: Bool
    /// Records states some time after an event.
    let stateTimer: Guarded<(any PaginatorTimer)?>
    /// After which time lists and stores, which have no events, are looked at again.
    let silentInterval: Guarded<Duration>

    /// Creates an inspector without subjects.
    ///
    /// - Parameter config: the inspector's configuration.
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
        // A timer may affect another clock: it changes a simulated world.
        let timer = Guarded<(any PaginatorTimer)?>(nil)
        stateTimer = timer
        let interval = Guarded(config.unseenStateInterval)
        silentInterval = interval
        recorder = Recorder(info: info, maxEvents: config.maxEvents, maxTextBytes: config.maxTextBytes) {
            interval.withLock { $0 = config.unseenStateInterval }
            timer.withLock { $0 }?.arm(at: config.clock.now.advanced(by: config.unseenStateInterval))
        }
        takesStates = config.isEnabled && info.clock != "simulated"
        guard takesStates else { return }
        let made = config.clock.makeTimer { [weak self] in self?.recordStatesUnseen() }
        timer.withLock { $0 = made }
    }

    deinit {
        stateTimer.withLock { $0 }?.disarm()
        for watched in watched.withLock({ $0 }).values { watched.end() }
    }

    /// The time since the recording began, in nanoseconds.
    var time: Double { Double(start.duration(to: config.clock.now).wholeNanoseconds) }

    /// Returns everything recorded, with the current states.
    ///
    /// Complexity: O(recorded data).
    public func recording() -> PaginatorRecording {
        recordStates()
        return recorder.recording()
    }

    /// Returns the next changes as chunks, step by step, for a reader, at any rate.
    func changes(since cursor: inout Recorder.Cursor?, withKeys: Bool) -> [UInt8] {
        recordStatesIfDue()
        let faults = watched.withLock { $0.compactMapValues(\.faults) }.mapValues(\.setting).filter {
            $0.value != .none
        }
        return recorder.changes(since: &cursor, withKeys: withKeys && config.allowsKeys, faults: faults)
    }

    /// Performs a command of the browser's page.
    ///
    /// - Parameter command: the command.
    /// - Throws: a ``PaginatorInspectorError`` if its subject is gone or cannot do that.
    func perform(_ command: PaginatorInspectorCommand) throws {
        switch command.action {
        case .pause: recorder.pause(true)
        case .resume: recorder.pause(false)
        case .clock(let move):
            guard let clock = config.clock as? ManualPaginatorClock else { throw PaginatorInspectorError(.impossible) }
            // Its executor belongs to the thread of the test.
            switch move {
            case .advance(let duration): clock.advanceBesideExecutor(to: clock.now.advanced(by: duration))
            case .set(let duration):
                let time = start.advanced(by: duration)
                guard time >= clock.now else { throw PaginatorInspectorError(.past) }
                clock.advanceBesideExecutor(to: time)
            }
        case .invalidate, .refresh, .clear, .evict, .faults:
            guard let subject = command.subject, let watched = watched.withLock({ $0[subject] }) else {
                throw PaginatorInspectorError(.gone)
            }
            try watched.perform(command)
        }
    }

    /// Performs the command in a message of the browser's page; returns a chunk with the answer.
    func answer(to message: [UInt8]) -> [UInt8] {
        var failure: String?
        do {
            try perform(PaginatorInspectorCommand(json: Data(message)))
        } catch {
            failure = "\(error)"
        }
        var answer: [UInt8] = []
        answer.append(
            chunk: .answer,
            json: .members([
                "id": JSONValue(reading: message)?["id"] ?? .count(0), "ok": .flag(failure == nil),
                "error": failure.map(JSONValue.text) ?? .null,
            ]))
        return answer
    }
}

extension TimeLine {
    init(_ inspector: PaginatorInspector, clock: any PaginatorClock) {
        self.init(elapsed: inspector.start.duration(to: inspector.config.clock.now), clock: clock)
    }
}
