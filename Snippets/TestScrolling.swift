// A list scrolled in virtual time over a server whose rows shift and whose network misbehaves.
import PaginatorCore
import PaginatorLists
import PaginatorTesting

let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
let server = SampleServer(SamplePages(count: 500, style: .cursor))
let network = FaultPlan(then: .latency(.milliseconds(300)))

var config = PaginatorConfig()
config.simulate(on: executor, clock: clock)
let paginator = CallbackPaginator(dataSource: server.faulty(network, clock: clock), config: config)
let list = PaginatorList(paginator)
let driver = ScrollDriver(list, screenSize: 8, clock: clock, executor: executor)

driver.refresh()
print(driver.scroll(to: 200).map(\.id))

// Three rows are inserted at the top of the server's table, and three calls fail.
server.change { $0.insert(3) }
network.script([.failure(), .loss, .latency(.seconds(20))])
driver.refresh()
print(driver.fling(to: 0).map(\.id), clock.now)
