import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The device's way to the server.
struct UserSource: PaginatorDataSource {
    unowned let world: UserWorld
    let firstKey: String

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<UserItem>, SourceError>) -> Void
    ) -> SourceCancellation {
        world.asked(request.key, request.pageSize, request.scope, completion)
        return .none
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard world.setup.computesKeys, world.table.style.rawValue < 2 else { return nil }
        return world.table.start(of: key, pageSize).map { world.table.neighbors(of: $0, pageSize) }
    }
}

struct UserServerTrouble: Error {}

extension UserWorld {
    /// The server reads its table when it is asked, and answers a little later.
    func asked(
        _ key: String, _ size: Int, _ scope: String,
        _ completion: @escaping @Sendable (Result<PaginatorPage<UserItem>, SourceError>) -> Void
    ) {
        tick += 1
        askedKeys.append(key)
        note("the server is asked for \(key)\(isDown ? ", and is down" : "")\(isHanging ? ", and hangs" : "")")
        guard !isHanging else { return }
        let read = tick
        unanswered.append((Array(key.utf8), read))
        readAt[read] = time.awake
        let result: Result<PaginatorPage<UserItem>, SourceError>
        if isDown || random.number(in: 0..<100) < (isHealed ? 0 : setup.failures) {
            failures += 1
            result = .failure(.retry(UserServerTrouble()))
        } else if let (items, keys) = table.page(key, size, tick) {
            served[read] = items.map(\.id)
            result = .success(
                PaginatorPage(
                    content: items.map { item in
                        var item = item
                        item.scope = scope
                        return item
                    }, key: key,
                    expirationTime: setup.expires ? time.wallTime.addingTimeInterval(30) : nil,
                    prevKey: keys.previous, nextKey: keys.next ?? (setup.endsWithEmptyKey ? "" : nil)))
        } else {
            result = .failure(.keyExpired(UserServerTrouble()))
        }
        let answer: @Sendable () -> Void = { [unowned self] in
            unanswered.removeAll { $0.read == read }
            completion(result)
        }
        time.add(after: Int64(random.number(in: 5..<300)) * 1_000_000) { [unowned self] in
            if isHolding { held.append(answer) } else { answer() }
        }
    }
}

extension UserWorld {
    /// Rows of the server are saved in an array on the device, and paged from there.
    func mediator(_ server: UserSource) -> MediatorDataSource<UserItem, UserItem> {
        let local = ClosureDataSource<UserItem>(firstKey: "0") { [unowned self] request in
            let start = Int(request.key) ?? 0
            let end = start + request.pageSize
            return PaginatorPage(
                content: Array(saved.dropFirst(start).prefix(request.pageSize)), key: request.key,
                prevKey: start > 0 ? "\(max(0, start - request.pageSize))" : nil,
                nextKey: end < saved.count ? "\(end)" : nil)
        }
        return MediatorDataSource(local: local, remote: server, refreshesFirstPage: true, servesLocalOnFailure: true) {
            [unowned self] page, _, isRefresh, completion in
            if isRefresh { saved = [] }
            saved.removeAll { old in page.content.contains { $0.id == old.id } }
            saved += page.content
            completion(.success(()))
        }
    }
}

/// A store that sometimes never answers a read.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class UserStore: PaginatorStore, @unchecked Sendable {
    private unowned let time: UserTime
    private var pages: [(identity: PageIdentity, page: StoredPage<UserItem>)] = []
    var isSilent = false

    init(_ time: UserTime) { self.time = time }

    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<UserItem>?, PaginatorError>) -> Void
    ) {
        guard !isSilent else { return }
        let page = pages.first { $0.identity == identity }?.page
        time.run { completion(.success(page)) }
    }

    func apply(
        _ changes: [StoreChange<UserItem>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        for change in changes {
            switch change {
            case .save(let identity, let page):
                pages.removeAll { $0.identity == identity }
                pages.append((identity, page))
            case .remove(let selection):
                pages.removeAll { selection.contains($0.identity) }
            case .invalidate(let selection):
                replace(selection) { StoredPage(page: $0.page, fetchedAt: $0.fetchedAt, isInvalidated: true) }
            case .invalidateTags(let tags):
                replace(.all) { stored in
                    let isInvalidated = stored.isInvalidated || stored.page.tags.hasTag(in: tags)
                    return StoredPage(page: stored.page, fetchedAt: stored.fetchedAt, isInvalidated: isInvalidated)
                }
            case .edit(let selection, let edit):
                replace(selection) { $0.edited(by: edit) ?? $0 }
            }
        }
        time.run { accepted(.success(())) }
    }

    private func replace(_ selection: PageSelection, _ change: (StoredPage<UserItem>) -> StoredPage<UserItem>) {
        for index in pages.indices where selection.contains(pages[index].identity) {
            pages[index].page = change(pages[index].page)
        }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        time.run { completion(.success(())) }
    }
}
