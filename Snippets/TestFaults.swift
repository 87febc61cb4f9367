// Faults by script and by seeded chance around real parts, in a test that takes no time.
import PaginatorCore
import PaginatorTesting

let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
var config = DefaultPaginatorConfig()
config.simulate(on: executor, clock: clock)

let network = FaultPlan(script: [.failure(), .latency(.seconds(2)).and(.duplicate)])
let source = ScriptedDataSource(recording: SampleServer(SamplePages(count: 100)).faulty(network, clock: clock))
var chances = FaultChances()
chances.failure = 0.1
chances.hang = 0.02
chances.latency = .milliseconds(1)...(.milliseconds(80))
let disk = FaultPlan(seed: 42, chances)
let store = ScriptedStore<SampleItem>(executor: executor).faulty(disk, clock: clock)
let paginator = CallbackPaginator(dataSource: source, store: store, config: config)

let listener = RecordingListener<SampleItem>()
executor.immediately { paginator.fetch(key: "0", pageSize: 30, listener: listener) }
while listener.ends.isEmpty, clock.advanceToNextTimer() != nil { executor.runAll() }

print(listener.page?.content.count ?? 0, source.calls.map(\.request.attempt), disk.decisions)
