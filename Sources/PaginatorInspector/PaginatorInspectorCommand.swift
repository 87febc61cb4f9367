import PaginatorCore

/// Something that a ``PaginatorInspector`` does to what is attached to it, as the page in the browser asks for it.
///
/// It is coded as the messages of that page are: `{"do":"invalidate","subject":1}`.
public struct PaginatorInspectorCommand: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case invalidate, refresh, clear, evict, faults, clock, pause, resume
    }

    let action: Action
    let subject: UInt16?
    let page: PageIdentity?
}
