import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct ConnectivityOwnerTests {
    /// The app's state, which knows of the network and owns the paginator.
    ///
    /// `@unchecked Sendable`: used by one thread.
    private final class AppState: PaginatorConnectivity, @unchecked Sendable {
        var paginator: CallbackPaginator<SampleItem>?
        var conditions: PaginatorConditions { [] }
        func observe(_ handler: @escaping @Sendable (PaginatorConditions) -> Void) -> any AnyObject & Sendable {
            OnceFlag()
        }
    }

    @Test func `who tells of the network may own the paginator`() {
        weak var state: AppState?
        do {
            let app = AppState()
            var config = DefaultPaginatorConfig()
            config.connectivity = app
            app.paginator = CallbackPaginator(dataSource: ScriptedDataSource<SampleItem>(), config: config)
            state = app
        }
        #expect(state == nil)
    }
}
