#if canImport(Combine) || OpenCombine
    public import PaginatorCore
    public import PaginatorLists

    extension Paginator {
        /// Publishes the answer of a fetch, after previews: a stale page under `staleWhileRevalidate`, and the first items of a page
        /// that its source shows early; then it finishes.
        ///
        /// ```swift
        /// // For a screen the config's `dispatchQueue` is `.main`, or `.receive(on:)` comes first.
        /// paginator.publisher(for: PageRequest(key: "1", pageSize: 30))
        ///     .sink { end in print(end) } receiveValue: { page in show(page.content) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// It fails with the ``/PaginatorCore/PaginatorError`` of the fetch. Cancelling the subscription cancels the fetch.
        ///
        /// - Parameter request: which page, and how.
        public func publisher(for request: PageRequest) -> PaginatorPublisher<FetchedPage<T>, PaginatorError> {
            PaginatorPublisher {
                .all
            } start: { [self] feed in
                let execution = fetch(request, listener: FetchPublisherListener(feed))
                return { execution.cancel() }
            }
        }

        /// Publishes a page and its neighbors with their distances from it, in the order of `fetchAround`; then it finishes.
        ///
        /// Previews are left out. A neighbor that fails is left out too, and ends its direction. The publisher fails with
        /// the error of the asked page.
        ///
        /// - Parameter request: which page, how far, and how.
        public func publisher(
            around request: AroundRequest
        ) -> PaginatorPublisher<(page: FetchedPage<T>, distance: Int), PaginatorError> {
            PaginatorPublisher {
                .all
            } start: { [self] feed in
                let execution = fetchAround(request, listener: AroundPublisherListener(feed))
                return { execution.cancel() }
            }
        }
    }

    extension Paginator {
        /// Publishes the state of a page: the present one, then one after each change; the latest waits for demand.
        ///
        /// `nil` says that nothing is known of the page. It finishes with the paginator.
        ///
        /// - Parameters:
        ///   - key: the page's key.
        ///   - pageSize: the number of items it is asked for with.
        ///   - scope: separates pages with the same key, such as those of two users; empty by default.
        public func statePublisher(
            key: String, pageSize: Int, scope: String = ""
        ) -> PaginatorPublisher<PaginatorPageResult<T>?, Never> {
            PaginatorPublisher {
                .latest()
            } start: { [weak self] feed in
                guard let self else {
                    feed.finish()
                    return {}
                }
                let end = FeedEnd(feed)
                let execution = observe(key: key, pageSize: pageSize, scope: scope) { end.feed.put($0) }
                // Held strongly, the execution would keep its handler, and with that the feed, from ending.
                return { [weak execution] in _ = execution?.cancel() }
            }
        }
    }

    extension PaginatorList {
        /// Publishes what the list shows: the present state, then one after each change; the latest waits for demand.
        ///
        /// Each update's difference leads from the one that the subscriber took before. It finishes with the list, which it
        /// does not keep alive.
        ///
        /// ```swift
        /// // For a screen the config's `dispatchQueue` is `.main`, or `.receive(on:)` comes first.
        /// list.publisher
        ///     .sink { update in view.apply(update.difference, update.status) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// Behind an operator that drops values, such as `debounce` or `removeDuplicates`, differences have gaps; use the
        /// snapshots there.
        public var publisher: PaginatorPublisher<PaginatorListUpdate<T, ID>, Never> {
            PaginatorPublisher {
                let told = Guarded<PaginatorListUpdate<T, ID>?>(nil)
                var rules = FeedRules<PaginatorListUpdate<T, ID>>.latest { $1.replacing($0) }
                rules.taken = { update in
                    let update = update.following(told.withLock { $0 })
                    let former = told.withLock { told in
                        defer { told = update }
                        return told
                    }
                    // Released outside the lock: it holds items of the user's.
                    withExtendedLifetime(former) {}
                    return update
                }
                return rules
            } start: { [weak self] feed in
                guard let self else {
                    feed.finish()
                    return {}
                }
                let end = FeedEnd(feed)
                let execution = observe { end.feed.put($0) }
                return { [weak execution] in _ = execution?.cancel() }
            }
        }
    }

    /// `@unchecked Sendable`: its only state never changes.
    private final class FetchPublisherListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
        private let feed: PublisherFeed<FetchedPage<T>, PaginatorError>

        init(_ feed: PublisherFeed<FetchedPage<T>, PaginatorError>) {
            self.feed = feed
        }

        override func fetchDidPreview(_ page: FetchedPage<T>) { feed.put(page) }

        override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
            switch result {
            case .success(let page):
                feed.put(page)
                feed.finish()
            case .failure(let error): feed.finish(error)
            }
        }
    }

    /// `@unchecked Sendable`: its only state never changes.
    private final class AroundPublisherListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
        private let feed: PublisherFeed<(page: FetchedPage<T>, distance: Int), PaginatorError>

        init(_ feed: PublisherFeed<(page: FetchedPage<T>, distance: Int), PaginatorError>) {
            self.feed = feed
        }

        override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) { feed.put((page, distance)) }

        override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
            if case .failure(let error) = result { feed.finish(error) } else { feed.finish() }
        }
    }
#endif
