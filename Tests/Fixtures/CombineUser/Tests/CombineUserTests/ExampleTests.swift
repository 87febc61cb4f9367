import PaginatorCombine
import PaginatorCore
import PaginatorLists
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

// What the documentation shows, as it stands there.
nonisolated(unsafe) private var cancellables: Set<AnyCancellable> = []
private let list = PaginatorList(CallbackPaginator(dataSource: ArrayDataSource([Row(id: 1)])))

// swift-format-ignore
private func example() {
// For a screen the config's `dispatchQueue` is `.main`, or `.receive(on:)` comes first.
list.publisher
    .sink { update in print(update.snapshot.count, update.status.next) }
    .store(in: &cancellables)
}

@Test func `the example of the documentation lives as long as what stores it`() {
    example()
    #expect(cancellables.count == 1)
    cancellables = []
}
