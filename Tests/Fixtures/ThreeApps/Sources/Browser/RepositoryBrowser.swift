public import Foundation
public import Observation
import PaginatorAsync
public import PaginatorCore
import PaginatorHTTP
public import PaginatorLists
import PaginatorSQLiteStore
public import PaginatorUI

/// Where somebody was, to come back to after a relaunch.
public nonisolated struct SavedPlace: Codable, Sendable {
    let search: String
    let bookmark: PaginatorListBookmark?
}

/// The screen that browses repositories: what a view draws, and what it calls.
@Observable
public final class RepositoryBrowser {
    /// Where a row is: the numbers of an index path.
    public typealias Place = PaginatorBatch.Place

    /// The repositories in sections, by the first letter of their names.
    public private(set) var sections = PaginatorListSections<Repository, Repository.ID, Character>(by: {
        $0.name.first ?? "?"
    })
    /// What loads and what failed: `next` is the footer.
    public private(set) var status: PaginatorListStatus
    /// Why the server refused the last star.
    public private(set) var refusal: String?
    /// The first visible repository, where the view is to scroll after a restore.
    public private(set) var anchor: Place?
    /// What is searched for.
    public var search: String { didSet { if search != oldValue { list.show(scope: search) } } }

    @ObservationIgnored let list: PaginatorList<Repository, Repository.ID>
    @ObservationIgnored private let setStar: (Bool, Repository) async throws -> Void
    @ObservationIgnored private var writes: [Repository.ID: Task<Void, Never>] = [:]

    /// Makes the screen of the app, with a store in a folder.
    public convenience init(
        _ api: RepositoryAPI, folder: String, connectivity: any PaginatorConnectivity, place: SavedPlace? = nil
    ) throws {
        var config = PaginatorConfig()
        config.connectivity = connectivity
        let store = try SQLitePageStore<Repository>(path: folder + "/pages.sqlite", namespace: "repositories")
        let paginator = CallbackPaginator(dataSource: api.repositories, store: store, config: config)
        self.init(paginator, place: place, setStar: api.setStar)
    }

    /// Makes a screen over any paginator.
    public init(
        _ paginator: CallbackPaginator<Repository>, place: SavedPlace? = nil,
        setStar: @escaping (Bool, Repository) async throws -> Void
    ) {
        self.setStar = setStar
        search = place?.search ?? ""
        var config = PaginatorListConfig()
        config.scope = place?.search ?? ""
        config.debounce = DebounceKey("search")
        config.policy = .staleWhileRevalidate
        list = PaginatorList(paginator, config: config)
        status = list.status
        list.observe(onMain: { [weak self] in self?.show($0) })
        do {
            if let bookmark = place?.bookmark { try list.restore(bookmark) } else { list.loadNext() }
        } catch {
            list.loadNext()
        }
    }

    private func show(_ update: PaginatorListUpdate<Repository, Repository.ID>) {
        _ = sections.apply(update)
        status = update.status
        anchor = update.anchor.flatMap { sections.place(of: $0) }
    }

    /// The repositories without sections.
    public var repositories: PaginatorListSnapshot<Repository, Repository.ID> { sections.items }

    /// What the screen shows as a whole.
    public var screen: PaginatorScreenState { PaginatorScreenState(status, isEmpty: repositories.isEmpty) }

    /// How many rows the scroll bar stands for, with those that are not loaded.
    public var rowCount: Int { status.placeholdersBefore + repositories.count + status.placeholdersAfter }

    /// What stands above the list.
    public func banner(at now: Date = .now) -> String? {
        switch status.freshness {
        case .offline(let savedAt): "Offline, saved \(age(since: savedAt, now)) ago"
        case .failed(let error, let savedAt): "\(error.localizedDescription) Saved \(age(since: savedAt, now)) ago."
        case .stale, .fresh, nil: nil
        }
    }

    private func age(since date: Date, _ now: Date) -> String {
        Duration.seconds(now.timeIntervalSince(date)).formatted(
            .units(allowed: [.days, .hours, .minutes], width: .wide, maximumUnitCount: 1))
    }

    /// Which rows are on the screen: the list loads ahead. Only what is loaded at the very end shows in the footer.
    public func rowsDidAppear(_ places: some Sequence<Place>) {
        guard let visible = sections.positions(of: places) else { return }
        list.hint(visible: visible)
        if visible.upperBound == repositories.count, status.next.error == nil { list.loadNext() }
    }

    /// Pull to refresh; a failure is in `status`.
    public func refresh() async { try? await list.refreshAndWait() }

    /// The button of a footer that failed.
    public func retry() { list.retry() }

    /// Stars a repository or takes the star back: shown at once, and taken back if the server refuses.
    public func toggleStar(_ id: Repository.ID) {
        guard let repository = repositories[id: id] else { return }
        let isStarred = !repository.isStarred
        let edit = list.edits.begin(id) { $0.starred(isStarred) }
        let earlier = writes[id]
        writes[id] = Task {
            await earlier?.value
            do {
                try await setStar(isStarred, repository)
                edit.commit()
            } catch {
                edit.rollBack()
                refusal = (error as? HTTPSourceError)?.body?.messages.first ?? error.localizedDescription
            }
        }
    }

    /// Where somebody is, to be saved when the app goes to the background; what was seen is on disk by then.
    public func didEnterBackground() async -> SavedPlace {
        try? await list.paginator.flush()
        let bookmark = await withCheckedContinuation { whenTaken in
            list.bookmark { whenTaken.resume(returning: $0) }
        }
        return SavedPlace(search: search, bookmark: bookmark)
    }
}
