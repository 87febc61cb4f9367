// Faults by script and by chance around a source and a store, in a test that takes no time.
import PaginatorCore
import PaginatorTesting

let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
var config = PaginatorConfig()
config.simulate(on: executor, clock: clock)

// With a script: the first call fails; the second one is answered after two seconds, twice.
let network = FaultPlan(script: [.failure(), .latency(.seconds(2)).and(.duplicate)])
let server = SampleServer(SamplePages(count: 100))
let source = ScriptedDataSource(recording: server.faulty(network, clock: clock))

// At random, but reproducible with the seed: 10 % of the calls fail, 2 % get no answer.
var chances = FaultChances()
chances.failure = 0.1
chances.hang = 0.02
chances.latency = .milliseconds(1)...(.milliseconds(80))
let disk = FaultPlan(seed: 42, chances)
let store = ScriptedStore<SampleItem>(executor: executor).faulty(disk, clock: clock)

let paginator = CallbackPaginator(dataSource: source, store: store, config: config)
let listener = RecordingListener<SampleItem>()
executor.immediately { paginator.fetch(key: "0", pageSize: 30, listener: listener) }
clock.advance(by: .minutes(1))

print(listener.page?.content.count ?? 0, source.calls.map(\.request.attempt), disk.decisions)
