import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command to a ``PaginatorInspector`` for an attached subject, as the browser's page sends it.
///
/// Its form is that of the page's messages, such as `{"id":7,"do":"invalidate","subject":1}`.
struct PaginatorInspectorCommand: Sendable {
    enum Action: Sendable {
        case invalidate, refresh, clear, evict
        case faults(PaginatorInspectorFaults.Setting)
        case clock(ClockMove)
        case pause, resume
    }

    enum ClockMove: Sendable {
        case advance(Duration)
        /// Sets a time since the beginning of the recording.
        case set(Duration)
    }

    let action: Action
    /// The number that the answer repeats.
    let id: Int
    let subject: UInt16?
    /// `nil` for all pages.
    let page: PageIdentity?

    /// Parses a message of the browser's page.
    ///
    /// - Parameter json: the message, which may be any bytes.
    /// - Throws: a ``PaginatorInspectorError`` if it is not a possible command.
    init(json: Data) throws(PaginatorInspectorError) {
        let unknown = PaginatorInspectorError(.unknown)
        guard let message = JSONValue(reading: json) else { throw unknown }
        id = message["id"]?.whole ?? 0
        subject = message["subject"]?.whole.flatMap(UInt16.init(exactly:))
        page = message["page"].flatMap { PageIdentity($0) }
        // A hash does not lead to a page, and applying it to all pages would be more than was asked for.
        if let page = message["page"], page != .null, self.page == nil { throw PaginatorInspectorError(.hashedPage) }
        switch message["do"]?.text {
        case "invalidate": action = .invalidate
        case "refresh": action = .refresh
        case "clear": action = .clear
        case "evict": action = .evict
        case "faults": action = .faults(try PaginatorInspectorFaults.Setting(message))
        case "clock":
            if let seconds = message["set"]?.number, seconds >= 0 {
                action = .clock(.set(.clamped(seconds: seconds)))
            } else if let seconds = message["advance"]?.number, seconds >= 0 {
                action = .clock(.advance(.clamped(seconds: seconds)))
            } else {
                throw unknown
            }
        case "pause": action = .pause
        case "resume": action = .resume
        default: throw unknown
        }
    }
}

extension PaginatorInspectorCommand {
    func perform<T>(on paginator: CallbackPaginator<T>, faults: PaginatorInspectorFaults?) throws {
        let pages = page.map { PageSelection.identity($0) } ?? .all
        switch action {
        case .invalidate: paginator.invalidate(pages)
        case .clear: paginator.clear(pages, completion: nil)
        case .refresh:
            // There is no refresh of everything; an invalidated page is loaded when it is needed.
            guard let page else { throw PaginatorInspectorError(.impossible) }
            _ = paginator.refresh(PageRequest(key: page.key, pageSize: page.pageSize, scope: page.scope), listener: nil)
        case .evict:
            guard let page else { return paginator.trim(toFraction: 0) }
            guard let wasThere = paginator.engine.evict(page) else { throw PaginatorInspectorError(.pinned) }
            if !wasThere { throw PaginatorInspectorError(.absent) }
        case .faults(let setting):
            guard let faults else { throw PaginatorInspectorError(.noFaults) }
            faults.set(setting, isCommanded: true)
        case .clock, .pause, .resume: throw PaginatorInspectorError(.impossible)
        }
    }
}
