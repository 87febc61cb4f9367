import PaginatorCore

/// A step of a load that one event begins and another ends.
enum LoadStep {
    case load, storeRead, attempt, validation
}

/// The steps that have begun and not ended, each with the mark that `begin` made.
///
/// A page may have two loads at a time, from before and after a clear. Of two equal steps the first is ended first.
struct OpenSteps<Mark> {
    private struct Key: Hashable {
        let page: PageIdentity
        let step: LoadStep
    }

    private var marks: [Key: [Mark]] = [:]

    var count: Int { marks.values.reduce(0) { $0 + $1.count } }

    /// Ends and begins the steps that an event reports.
    mutating func take(_ event: PaginatorEvent, begin: (LoadStep) -> Mark, end: (LoadStep, Mark) -> Void) {
        // Which steps ended meanwhile is unknown.
        if event.kind == .eventsLost {
            for (key, open) in marks { for mark in open { end(key.step, mark) } }
            marks = [:]
        }
        guard let page = event.identity else { return }
        for step in event.endedSteps {
            let key = Key(page: page, step: step)
            guard var running = marks.removeValue(forKey: key), let first = running.first else { continue }
            end(step, first)
            running.removeFirst()
            if !running.isEmpty { marks[key] = running }
        }
        if let step = event.begunStep { marks[Key(page: page, step: step), default: []].append(begin(step)) }
    }
}

extension PaginatorEvent {
    fileprivate var begunStep: LoadStep? {
        switch kind {
        case .loadStarted: .load
        case .storeReadStarted: .storeRead
        case .attemptStarted: .attempt
        case .attemptEnded where error == nil: .validation
        default: nil
        }
    }

    // The end of a load ends its open steps.
    fileprivate var endedSteps: [LoadStep] {
        switch kind {
        case .storeHit, .storeMiss: [.storeRead]
        case .attemptEnded: [.attempt]
        case .validated: [.validation]
        case .verdict where origin == .source: [.validation]
        case .loadEnded: [.validation, .attempt, .load]
        default: []
        }
    }
}
