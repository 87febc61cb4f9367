// A load that times out after thirty seconds, tested without waiting for thirty seconds.
import PaginatorCore
import PaginatorTesting

// A source that is called and never answers, and a clock that stands still.
let clock = ManualPaginatorClock()
let source = ScriptedDataSource<String>(clock: clock)
source.script([.hang], forKey: "0")

var config = PaginatorConfig()
config.clock = clock
config.maxAttempts = 1
let paginator = CallbackPaginator(dataSource: source, config: config)

let listener = RecordingListener<String>()
paginator.fetch(key: "0", pageSize: 30, listener: listener)

// Wait until the source was called and the paginator has set its timer; then advance the clock.
_ = try await source.waitForCalls(1)
try await clock.waitForTimer(atOrBefore: .zero.advanced(by: .seconds(30)))
clock.advance(by: .seconds(30))

_ = try await listener.waitForEnd()
print(listener.error?.code ?? "no error")
