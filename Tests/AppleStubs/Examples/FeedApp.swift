// What an app writes, as the comments of PaginatorUI show it, compiled as an app's module.
import BackgroundTasks
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorUI
import SwiftUI
import UIKit

nonisolated struct Post: Identifiable, Sendable {
    let id: Int
    let title: String
}

struct PostRow: View {
    let post: Post

    init(_ post: Post) {
        self.post = post
    }

    var body: some View { Text(post.title) }
}

struct FeedFooter: View {
    let state: PaginatorLoadState
    let retry: () -> Void

    var body: some View {
        switch state {
        case .idle: EmptyView()
        case .loading: ProgressView()
        case .failed: Button("Again") { retry() }
        case .endReached: Text("That is all")
        }
    }
}

/// Called while the app launches.
@MainActor func registerRefresh(of feed: CallbackPaginator<Post>, from firstKey: String) {
    // Without `@Sendable` the closure would belong to the main actor, and trap on the system's queue.
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) { @Sendable task in
        // What is on disk stays readable; each page is requested again.
        feed.invalidate(.all)
        // The page size and the scope of the list that will show the pages.
        var request = PrefetchRequest(from: firstKey, pages: 3, pageSize: 30, scope: "")
        // Also on a cellular link.
        request.allows = .weakLink
        feed.prefetch(request, for: task)
    }
}

struct OldFeedScreen: View {
    @StateObject private var feed: PaginatorListObject<Post, Post.ID>

    init(_ paginator: CallbackPaginator<Post>) {
        _feed = StateObject(wrappedValue: PaginatorListObject(PaginatorList(paginator)))
    }

    var body: some View {
        PaginatedList(feed, layout: .stack(spacing: 12)) { post in PostRow(post) }
            .placeholder(count: 5) { PostRow(Post(id: 0, title: "…")) }
            .header { state, retry in FeedFooter(state: state, retry: retry) }
            .gap { state, fill in FeedFooter(state: state, retry: fill) }
            .failure { error, retry in Button("\(error.localizedDescription)") { retry() } }
            .refresh(.keepingPlace)
    }
}

final class PostCell: UICollectionViewCell {
    func show(_ post: Post) {}
}

final class FeedFooterView: UICollectionReusableView {
    func show(_ state: PaginatorLoadState) {}
}

@MainActor final class PlainController {
    private let collectionView = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain)))
    private var rows = PaginatorListSnapshot<Post, Post.ID>()
    private var prefetcher: PaginatorPrefetcher?

    func show(_ list: PaginatorList<Post, Post.ID>) {
        prefetcher = PaginatorPrefetcher(list, collectionView: collectionView)
        list.observe(onMain: { [weak self] update in
            self?.collectionView.perform(PaginatorBatch(update.difference)) { self?.rows = update.snapshot }
        })
    }
}

@MainActor final class SectionsController {
    private let tableView = UITableView()
    private var days = PaginatorListSections<Post, Post.ID, Int>(by: { $0.id / 10 })
    private var adapter: PaginatorListAdapter<Post, Post.ID>?

    func show(_ list: PaginatorList<Post, Post.ID>) {
        list.observe(onMain: { [weak self] update in
            guard let self else { return }
            var next = days
            let difference = next.apply(update)
            tableView.perform(difference) { self.days = next }
        })
    }

    func show(_ list: PaginatorList<Post, Post.ID>, in collectionView: UICollectionView) {
        let cells = UICollectionView.CellRegistration<PostCell, Post> { cell, _, post in cell.show(post) }
        let views = UICollectionView.SupplementaryRegistration<UICollectionReusableView>(
            elementKind: UICollectionView.elementKindSectionFooter
        ) { _, _, _ in }
        adapter = PaginatorListAdapter(
            list, collectionView: collectionView, sections: { $0.id / 10 },
            header: { view, indexPath, _ in
                view.dequeueConfiguredReusableSupplementary(using: views, for: indexPath)
            },
            supplementary: { view, kind, indexPath in
                kind == UICollectionView.elementKindSectionFooter
                    ? view.dequeueConfiguredReusableSupplementary(using: views, for: indexPath) : nil
            },
            needsNewCell: { old, new in old.title.isEmpty != new.title.isEmpty },
            cell: { view, indexPath, post in
                view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: post)
            })
    }
}
