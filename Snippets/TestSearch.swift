// A search field, tested without waiting: three keystrokes, one request, and the notice of a lost connection.
import PaginatorCore
import PaginatorLists
import PaginatorTesting

// The text is the scope, on which the answer depends. `script(_:forKey:)` ignores it: all texts begin with one key.
let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
let source = ScriptedDataSource<String>(clock: clock, executor: executor)
source.otherwise { request in .page(PaginatorPage(content: ["found for \(request.scope)"], key: request.key)) }

let connectivity = ScriptedConnectivity()
var config = PaginatorConfig()
config.connectivity = connectivity
config.simulate(on: executor, clock: clock)
var listConfig = PaginatorListConfig()
listConfig.debounce = DebounceKey("search", delay: .milliseconds(300))
let list = PaginatorList(CallbackPaginator(dataSource: source, config: config), id: { $0 }, config: listConfig)

// The user types: nothing is requested until the delay has passed, and then once.
executor.immediately { for text in ["b", "be", "ber"] { list.show(scope: text) } }
print(source.calls.count)
clock.advance(by: .milliseconds(300))
print(source.calls.map(\.request.scope), Array(list.snapshot))

// The connection is lost: the banner appears.
executor.immediately { connectivity.set(.offline) }
if case .offline? = list.status.freshness { print("offline") }
