import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    /// How many browsers look.
    let visitors = Guarded(0)
    let lastSerial = Guarded<UInt64>(0)
    let start: PaginatorInstant
    /// What ends with the inspector.
    let lifetimes = Guarded<[any Sendable]>([])
    /// When states were recorded the last time for somebody who looks.
    let lastStates = Guarded<PaginatorInstant?>(nil)
    /// Whether states are taken by themselves.
    let takesStates: Bool
    /// Takes states some time after something happened.
    private let stateTimer: Guarded<(any PaginatorTimer)?>

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
        // Of other clocks nobody knows what a timer does to them: that of a simulated world changes the world.
        let timer = Guarded<(any PaginatorTimer)?>(nil)
        stateTimer = timer
        recorder = Recorder(info: info, maxEvents: config.maxEvents, maxTextBytes: config.maxTextBytes) {
            timer.withLock { $0 }?.arm(at: config.clock.now.advanced(by: config.unseenStateInterval))
        }
        takesStates = config.isEnabled && info.clock != "simulated"
        guard takesStates else { return }
        let made = config.clock.makeTimer { [weak self] in self?.recordStates() }
        timer.withLock { $0 = made }
    }

    deinit {
        stateTimer.withLock { $0 }?.disarm()
        for watched in watched.withLock({ $0 }).values { watched.end() }
    }

    /// The time since the recording began, in nanoseconds.
    var time: Double { Double(start.duration(to: config.clock.now).wholeNanoseconds) }

    /// Everything that is kept, with the states as they are now.
    ///
    /// Complexity: O(what is kept).
    public func recording() -> PaginatorRecording {
        recordStates()
        return recorder.recording()
    }

    /// What has come since, as chunks, step by step. For whoever looks, at any rate.
    func changes(since cursor: inout Recorder.Cursor?, withKeys: Bool) -> [UInt8] {
        recordStatesIfDue()
        let faults = watched.withLock { $0.compactMapValues(\.faults) }.mapValues(\.setting).filter {
            $0.value != .none
        }
        return recorder.changes(since: &cursor, withKeys: withKeys && config.allowsKeys, faults: faults)
    }

    /// Does what the page in the browser asks for.
    ///
    /// - Parameter command: what to do.
    /// - Throws: a ``PaginatorInspectorError`` where what it is about is no more, or cannot do that.
    func perform(_ command: PaginatorInspectorCommand) throws {
        switch command.action {
        case .pause: recorder.pause(true)
        case .resume: recorder.pause(false)
        case .clock(let move):
            guard let clock = config.clock as? ManualPaginatorClock else { throw PaginatorInspectorError(.impossible) }
            switch move {
            case .advance(let duration): clock.advance(by: duration)
            case .set(let duration):
                let time = start.advanced(by: duration)
                guard time >= clock.now else { throw PaginatorInspectorError(.past) }
                clock.advance(to: time)
            }
        case .invalidate, .refresh, .clear, .evict, .faults:
            guard let subject = command.subject, let watched = watched.withLock({ $0[subject] }) else {
                throw PaginatorInspectorError(.gone)
            }
            try watched.perform(command)
        }
    }

    /// Does what a message of the page in the browser asks for; a chunk with the answer.
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
