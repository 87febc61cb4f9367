import Foundation
import PaginatorCore
import PaginatorTesting

@testable import PaginatorInspector

/// A paginator over numbers, an inspector, and a clock that moves when it is told to.
struct InspectorRig {
    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let inspector: PaginatorInspector
    let faults: PaginatorInspectorFaults
    let observer = RecordingObserver()
    let paginator: CallbackPaginator<SampleItem>
    let attachment: PaginatorAttachment

    init(
        hasObserver: Bool = false, _ configure: (inout PaginatorInspectorConfig) -> Void = { _ in },
        paginating: (inout PaginatorConfig) -> Void = { _ in }
    ) {
        var inspecting = PaginatorInspectorConfig()
        inspecting.isEnabled = true
        inspecting.clock = clock
        inspecting.allowsKeys = true
        configure(&inspecting)
        inspector = PaginatorInspector(config: inspecting)
        faults = PaginatorInspectorFaults(clock: clock)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.connectivity = faults.connectivity
        config.maxAttempts = 1
        if hasObserver { config.observer = observer }
        paginating(&config)
        paginator = CallbackPaginator(
            dataSource: faults.around(SampleServer(SamplePages(count: 1_000))), config: config)
        attachment = inspector.attach(paginator, name: "Feed", faults: faults)
    }

    func fetch(_ key: String) {
        paginator.fetch(key: key, pageSize: 10) { _ in }
        executor.runAll()
    }

    func perform(_ json: String) throws {
        try inspector.perform(PaginatorInspectorCommand(json: Data(json.utf8)))
        executor.runAll()
    }

    func state(of kind: RecordedSubject.Kind) -> JSONValue? {
        let recording = inspector.recording()
        guard let subject = recording.subjects.first(where: { $0.kind == kind }) else { return nil }
        return recording.states.last { $0.subject == subject.number }.map(\.json)
    }
}

extension PaginatorRecording {
    var kinds: [String] { events.map { info.kinds[Int($0.kind)] } }
}
