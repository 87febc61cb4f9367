import PaginatorTesting

@testable import PaginatorCore
@testable import PaginatorLists

/// A source that pushes what the test says.
final class PushScript<Change: Sendable>: Sendable {
    struct Connection: Sendable {
        let lastEventID: String?
        let tell: @Sendable (PushEvent<Change>) -> Void
        var isClosed = false
    }

    private let state = Guarded<[Connection]>([])

    var connections: [Connection] { state.withLock { $0 } }
    var openCount: Int { connections.filter { !$0.isClosed }.count }
    var lastEventIDs: [String?] { connections.map(\.lastEventID) }

    var source: PushSource<Change> {
        PushSource { [state] lastEventID, tell in
            let index = state.withLock { connections in
                connections.append(Connection(lastEventID: lastEventID, tell: tell))
                return connections.count - 1
            }
            return SourceCancellation { state.withLock { $0[index].isClosed = true } }
        }
    }

    /// Tells something on the newest connection.
    func tell(_ events: PushEvent<Change>...) {
        for event in events { connections.last?.tell(event) }
    }
}

enum RowChange: Sendable {
    case updated(SampleItem)
    case removed(Int)
    case added(SampleItem, at: PaginatorRowPlace<Int>)
}

/// A list that follows a scripted source.
struct FollowingStage {
    let stage: ListStage
    let script = PushScript<RowChange>()
    let applied = Guarded<[String]>([])
    let ends = Guarded<[PaginatorError?]>([])

    init(_ stage: ListStage = ListStage()) {
        self.stage = stage
    }

    /// The first page of 20 rows without text is loaded.
    static func loaded(_ stage: ListStage = ListStage(pageSize: 4)) -> FollowingStage {
        stage.table.pages.items = (0..<20).map { SampleItem(id: $0, text: "") }
        stage.after { $0.loadNext() }
        return FollowingStage(stage)
    }

    @discardableResult
    func follow(from lastEventID: String? = nil, opens: Bool = true) -> PaginatorExecution {
        let edits = stage.paginator.edits(id: \.id)
        let following = stage.paginator.follow(
            script.source, from: lastEventID, onApplied: { [applied] id in applied.withLock { $0.append(id) } },
            onEnd: { [ends] error in ends.withLock { $0.append(error) } }
        ) { change in
            switch change {
            case .updated(let item): edits.update(item.id) { _ in item }
            case .removed(let id): edits.remove(id)
            case .added(let item, let place): edits.insert(item, at: place)
            }
        }
        stage.settle()
        if opens { tell(.opened()) }
        return following
    }

    func tell(_ events: PushEvent<RowChange>...) {
        for event in events { script.connections.last?.tell(event) }
        stage.settle()
    }

    /// The connection goes, and the next one is tried when its time has come.
    func reconnect(after error: SourceError? = nil) {
        tell(.closed(error))
        stage.clock.advance(by: .minutes(2))
        stage.settle()
    }

    var texts: [String] { stage.list.snapshot.map { "\($0.id)\($0.text)" } }
}
