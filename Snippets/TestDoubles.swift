// One example for each double.
import PaginatorCore
import PaginatorTesting

let hello = PaginatorPage(content: ["hello"], key: "0", nextKey: "1")

// A source with a script: the first call for "0" gets a page, the second one an error.
let source = ScriptedDataSource<String>()
source.script([.page(hello), .fail(.fatal(Outage()))], forKey: "0")

struct Outage: Error {}

// A source that forwards calls to a real one and records them.
let recording = ScriptedDataSource(recording: ArrayDataSource(["a", "b", "c"]))
let paginator = CallbackPaginator(dataSource: recording)
let listener = RecordingListener<String>()
paginator.fetch(key: "0", pageSize: 2, listener: listener)
_ = try await listener.waitForEnd()
print(listener.page?.content ?? [], recording.keys)

// A source that must not be called: every call fails and is reported.
let unused = ScriptedDataSource<String>(unexpected: { message, file, line in print("\(file):\(line): \(message)") })

// A store in memory whose reads fail.
let store = ScriptedStore<String>()
store.failLoads(with: PaginatorError(.storeFailed, "The disk is gone."))

// A connectivity that the test sets, and an observer that records events.
let connectivity = ScriptedConnectivity([.offline])
let observer = RecordingObserver()
var config = PaginatorConfig()
config.connectivity = connectivity
config.observer = observer

// With all of these: the store fails, the device is offline, so the source is not called.
let offline = CallbackPaginator(dataSource: unused, store: store, config: config)
let refused = RecordingListener<String>()
offline.fetch(key: "0", pageSize: 2, listener: refused)
_ = try await refused.waitForEnd()
try await observer.waitForEvents(of: .fetchEnded)
print(refused.error?.code ?? "no error", observer.count(of: .storeFailed), store.calls)

// A paginator with a script, for tests of code that uses a paginator: first a page, then an error.
let scripted = ScriptedPaginator<String>()
scripted.script([.page(hello), .fail(.fatal(Outage()))])

// A listener of a fetch around a page: it records each page and each failure with its distance.
let around = RecordingAroundListener<String>()
scripted.fetchAround(key: "0", pageSize: 1, depthLevel: 1, listener: around)
_ = try await around.waitForEnd()
print(around.distances, around.failures.map(\.distance), scripted.calls.count)

// The paginator, its callbacks and the test on one thread: when `immediately` returns, the answer is there.
let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
var simulated = PaginatorConfig()
simulated.simulate(on: executor, clock: clock)
let immediate = CallbackPaginator(dataSource: ArrayDataSource(["a", "b", "c"]), config: simulated)
let answered = RecordingListener<String>()
executor.immediately { immediate.fetch(key: "0", pageSize: 2, listener: answered) }
print(answered.page?.content ?? [])
