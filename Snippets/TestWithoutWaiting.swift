// A test that says what happens after thirty seconds, and takes none of them.
import PaginatorCore
import PaginatorTesting

let clock = ManualPaginatorClock()
let source = ScriptedDataSource<String>(clock: clock)
source.script([.hang], forKey: "0")

var config = DefaultPaginatorConfig()
config.clock = clock
config.maxAttempts = 1
let paginator = CallbackPaginator(dataSource: source, config: config)

let listener = RecordingListener<String>()
paginator.fetch(key: "0", pageSize: 30, listener: listener)
_ = try await source.waitForCalls(1)
try await clock.waitForTimer(atOrBefore: .zero.advanced(by: .seconds(30)))
clock.advance(by: .seconds(30))

_ = try await listener.waitForEnd()
print(listener.error?.code ?? "no error")
