#if canImport(Combine) || OpenCombine
    public import PaginatorCore
    public import PaginatorLists

    extension Paginator {
        /// Publishes the answer of a fetch and finishes. Previews come first: a stale page under
        /// `staleWhileRevalidate`, and first items that the source shows early. Of the previews only the latest waits
        /// for demand.
        ///
        /// ```swift
        /// // For a screen the config's `dispatchQueue` is `.main`, or `.receive(on:)` comes first.
        /// paginator.publisher(for: PageRequest(key: "1", pageSize: 30))
        ///     .sink { end in print(end) } receiveValue: { page in show(page.content) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// It fails with the ``/PaginatorCore/PaginatorError`` of the fetch. Cancelling the subscription cancels the fetch.
        /// With unlimited demand, as that of `sink`, values come on the callback queue. With limited demand, they may also
        /// come on the thread that requests more, so a screen then needs `receive(on:)`.
        ///
        /// - Parameter request: the page, and how to fetch it.
        public func publisher(for request: PageRequest) -> PaginatorPublisher<FetchedPage<T>, PaginatorError> {
            PaginatorPublisher {
                .all
            } start: { [self] feed in
                let execution = fetch(request, listener: FetchPublisherListener(feed))
                return { execution.cancel() }
            }
        }

        /// Publishes a page and its neighbors with their distances, in the order of `fetchAround`, and finishes.
        ///
        /// Previews and failed neighbors are left out; a failed neighbor ends its direction. The publisher fails with
        /// the requested page's error.
        ///
        /// - Parameter request: the page, the depth, and how to fetch.
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
        /// Publishes a page's state: the current one, then one after each change. Only the latest waits for demand.
        ///
        /// `nil` means that nothing is known of the page. It finishes when the paginator is released.
        ///
        /// - Parameters:
        ///   - key: the page's key.
        ///   - pageSize: the number of items that the page is requested with.
        ///   - scope: distinguishes pages with the same key, such as those of two users; empty by default.
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
                // Weak, because a ticket would retain its handler, and so the feed. Nobody else retains another execution.
                let other = execution is FetchTicket ? nil : execution
                return { [weak execution] in _ = (other ?? execution)?.cancel() }
            }
        }
    }

    extension PaginatorList {
        /// Publishes the list's updates: the current state, then one after each change. Only the latest waits for
        /// demand.
        ///
        /// Each difference begins at the last update that the subscriber took. It finishes when the list is released,
        /// which it does not retain.
        ///
        /// ```swift
        /// // For a screen the config's `dispatchQueue` is `.main`, or `.receive(on:)` comes first.
        /// list.publisher
        ///     .sink { update in view.apply(update.difference, update.status) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// With unlimited demand, as that of `sink`, values come on the callback queue. With limited demand, they may also
        /// come on the thread that requests more, so a screen then needs `receive(on:)`.
        ///
        /// After an operator that drops values, such as `debounce` or `removeDuplicates`, use the snapshots, because
        /// the differences have gaps.
        public var publisher: PaginatorPublisher<PaginatorListUpdate<T, ID>, Never> {
            PaginatorPublisher {
                let told = Guarded<PaginatorListUpdate<T, ID>?>(nil)
                var rules = FeedRules<PaginatorListUpdate<T, ID>>.latest { $1.replacing($0) }
                rules.taken = { update in
                    let update = update.following(told.withLock { $0 })
                    told.replace(with: update)
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

        override func fetchDidPreview(_ page: FetchedPage<T>) { feed.put(page, isPreview: true) }

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
            super.init()
            takesPreviews = false
        }

        override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) { feed.put((page, distance)) }

        override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
            if case .failure(let error) = result { feed.finish(error) } else { feed.finish() }
        }
    }
#endif
