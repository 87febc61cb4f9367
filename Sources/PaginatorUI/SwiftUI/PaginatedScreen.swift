#if canImport(SwiftUI)
    import PaginatorAsync
    import PaginatorCore
    import PaginatorLists
    import SwiftUI

    /// The content of a `PaginatedList` at one time.
    struct PaginatedScreen<T: Sendable, ID: Hashable & Sendable, Row: View>: View {
        let list: PaginatorList<T, ID>
        let items: PaginatorListSnapshot<T, ID>
        let status: PaginatorListStatus
        let anchor: Int?
        let shown: ShownList<T, ID>?
        let layout: PaginatedListLayout
        let sections: PaginatorListSections<T, ID, AnySectionKey>?
        let row: (T) -> Row
        let parts: PaginatedListParts

        @State private var memory = ScreenMemory<T, ID>()
        @State private var position: PaginatorRowID<ID>?
        @State private var newAbove = 0
        @State private var newBelow = 0
        @State private var showsHeader = true

        var body: some View {
            // Now, because visible rows are reported for the rows shown so far.
            let scrollNumber = memory.follow(
                items, status, anchor: anchor, followsEnd: parts.followsEnd, update: shown?.count)
            let state = memory.state
            let _: Void = memory.follow(shown?.update, shown?.count ?? 0, in: sections)
            ScrollViewReader { proxy in
                let opensAtEnd = parts.followsEnd && status.showsEnd
                PaginatedListContainer(layout: layout, opensAtEnd: opensAtEnd, position: $position) {
                    switch state {
                    case .placeholder: placeholders
                    case .items: rows
                    case .empty, .failed: EmptyView()
                    }
                }
                .refreshes(parts.refresh) { [list] refresh in
                    // The header shows why it failed.
                    try? await list.refreshAndWait(list.status.pulled(refresh))
                }
                .overlay {
                    switch state {
                    case .empty: parts.empty()
                    case .failed(let error): parts.failure(error) { list.retry() }
                    case .placeholder, .items: EmptyView()
                    }
                }
                .overlay(alignment: .top) {
                    if newAbove > 0 {
                        parts.newAbove(newAbove) {
                            if memory.go(to: .start, of: list) { showStart(proxy) }
                        }
                    }
                }
                .overlay(alignment: .bottom) {
                    if newBelow > 0 {
                        parts.newBelow(newBelow) {
                            if memory.go(to: .end, of: list, lastKey: parts.lastKey) { showEnd(proxy) }
                        }
                    }
                }
                .onAppear {
                    memory.didAppear(in: list)
                    readMemory()
                    scroll(proxy)
                }
                .onDisappear { memory.didDisappear() }
                .onChanged(of: memory.begins) { memory.loadFirst(of: list) }
                .onChanged(of: memory.endToSearch) { memory.loadFirst(of: list) }
                .onChanged(of: memory.firstMissing) { memory.loadMissing(of: list) }
                .onChanged(of: status.refresh.isLoading) { lookAgain() }
                .onChanged(of: [memory.repeats, items.count]) { lookAgain() }
                .onChanged(of: [memory.newAbove, memory.newBelow]) { readMemory() }
                .onChanged(of: memory.showsHeader) { readMemory() }
                .onChanged(of: scrollNumber) { scroll(proxy) }
            }
        }

        @ViewBuilder private var rows: some View {
            parts.header(header) { list.retry() }
            if let sections = memory.sections {
                ForEach(sections.sections) { section in
                    Section {
                        rows(PaginatorRows(sections.items, status, in: section.range))
                    } header: {
                        parts.sectionHeader(section.key)
                    }
                }
            } else {
                rows(PaginatorRows(items, status))
            }
            ForEach(Array(memory.missing(atMost: parts.remainingCount)), id: \.self) { number in
                parts.placeholder().redacted(reason: .placeholder).accessibilityHidden(true)
                    .onAppear { memory.didAppear(missing: number, in: list) }
                    .onDisappear { memory.didDisappear(missing: number) }
            }
            parts.footer(status.footer) { memory.retry(status.footer, of: list) { list.loadNext() } }
        }

        private var header: PaginatorLoadState {
            let isShown = layout.keepsPosition || showsHeader && memory.showsHeader
            return isShown || status.header == .endReached ? status.header : .idle
        }

        private func rows(_ rows: PaginatorRows<T, ID>) -> some View {
            ForEach(rows) { row in
                switch row {
                case .item(let item, let id, _):
                    self.row(item)
                        .onAppear {
                            memory.didAppear(id, in: list)
                            readMemory()
                        }
                        .onDisappear { memory.didDisappear(id, in: list) }
                case .gap(let position, _, let state):
                    // One view, whatever the app makes: so the system need not make all rows to count them.
                    VStack {
                        parts.gap(state) {
                            memory.retry(state, of: list) { memory.fillGap(at: position, of: list) }
                        }
                    }
                    .onAppear {
                        if case .idle = state { memory.fillGap(at: position, of: list) }
                    }
                }
            }
        }

        private var placeholders: some View {
            // The first one is the scroll target for all.
            ForEach(Array(0..<max(0, parts.placeholderCount)), id: \.self) { index in
                parts.placeholder().redacted(reason: .placeholder)
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel("Loading")
                    .accessibilityHidden(index > 0)
            }
        }

        private func scroll(_ proxy: ScrollViewProxy) {
            switch memory.takeScroll() {
            case .keep(let id, _, _):
                if !layout.keepsPosition {
                    proxy.scrollTo(PaginatorRowID.item(id), anchor: .top)
                } else if position == nil {
                    // Before the user has scrolled, the system has no row to keep.
                    position = .item(id)
                }
            case .goTo(let id, _): show(.item(id), proxy)
            case .goToStart: showStart(proxy)
            case .goToEnd: showEnd(proxy)
            // Other layouts stay at their start by themselves.
            case .showNew where layout.keepsPosition: showStart(proxy)
            case .showNew, .stay: break
            }
            memory.didScroll(in: list)
        }

        private func showStart(_ proxy: ScrollViewProxy) {
            // From `memory`, because before iOS 17 a change calls the view with its previous `items`.
            if let first = memory.firstID { show(.item(first), proxy) }
        }

        private func showEnd(_ proxy: ScrollViewProxy) {
            if let last = memory.lastID { proxy.scrollTo(PaginatorRowID.item(last), anchor: .bottom) }
        }

        private func show(_ row: PaginatorRowID<ID>, _ proxy: ScrollViewProxy) {
            if layout.keepsPosition { position = row } else { proxy.scrollTo(row, anchor: .top) }
        }

        private func lookAgain() {
            memory.didScroll(in: list)
            memory.loadMissing(of: list)
        }

        // Set only when they change, since that updates the view.
        private func readMemory() {
            if newAbove != memory.newAbove { newAbove = memory.newAbove }
            if newBelow != memory.newBelow { newBelow = memory.newBelow }
            if showsHeader != memory.showsHeader { showsHeader = memory.showsHeader }
        }
    }

    /// The app's views around the items.
    @MainActor
    struct PaginatedListParts {
        typealias Retry = @MainActor () -> Void
        typealias LoadView = (PaginatorLoadState, @escaping Retry) -> AnyView

        var refresh: PaginatorListRefresh? = .all
        var followsEnd = false
        var lastKey: String?
        var header: LoadView = { AnyView(PaginatedListEnd(state: $0, retry: $1)) }
        var footer: LoadView = { AnyView(PaginatedListEnd(state: $0, retry: $1)) }
        var gap: LoadView = { AnyView(PaginatedListGap(state: $0, fill: $1)) }
        var sectionHeader: (AnySectionKey) -> AnyView = { _ in AnyView(EmptyView()) }
        var placeholderCount = 10
        var remainingCount = 0
        var placeholder: () -> AnyView = { AnyView(Text("A row that is not there yet")) }
        var empty: () -> AnyView = { AnyView(Text("No Items")) }
        var failure: (PaginatorError, @escaping Retry) -> AnyView = {
            AnyView(PaginatedListFailure(error: $0, retry: $1))
        }
        var newAbove: (Int, @escaping Retry) -> AnyView = { _, _ in AnyView(EmptyView()) }
        var newBelow: (Int, @escaping Retry) -> AnyView = { _, _ in AnyView(EmptyView()) }
    }

    private struct PaginatedListEnd: View {
        let state: PaginatorLoadState
        let retry: PaginatedListParts.Retry

        var body: some View {
            switch state {
            case .loading: PaginatedListSpinner()
            case .failed(let error): PaginatedListFailure(error: error, retry: retry)
            case .idle, .endReached: EmptyView()
            }
        }
    }

    /// A `List` shows no spinner a second time under one identity, so each appearance gets a new one.
    private struct PaginatedListSpinner: View {
        @State private var identity = UUID()

        var body: some View {
            ProgressView().id(identity).frame(maxWidth: .infinity).onAppear { identity = UUID() }
        }
    }

    private struct PaginatedListGap: View {
        let state: PaginatorLoadState
        let fill: PaginatedListParts.Retry

        var body: some View {
            switch state {
            case .idle: Button("Load More") { fill() }.frame(maxWidth: .infinity)
            case .loading, .failed, .endReached: PaginatedListEnd(state: state, retry: fill)
            }
        }
    }

    private struct PaginatedListFailure: View {
        let error: PaginatorError
        let retry: PaginatedListParts.Retry

        var body: some View {
            VStack(spacing: 8) {
                Text(error.localizedDescription).multilineTextAlignment(.center)
                Button("Try Again") { retry() }
            }
            .frame(maxWidth: .infinity)
            .padding()
        }
    }
#endif
