import PaginatorCore
import PaginatorLists
import PaginatorUI
import UIKit

@MainActor final class FeedController {
    private let collectionView = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain)))
    private var adapter: PaginatorListAdapter<Post, Post.ID>?

    func show(_ feed: PaginatorList<Post, Post.ID>) {
        let registration = UICollectionView.CellRegistration<PostCell, Post> { cell, _, post in cell.show(post) }
        adapter = PaginatorListAdapter(feed, collectionView: collectionView) { view, indexPath, post in
            view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: post)
        }
        adapter?.onUpdate = { [weak collectionView] update in
            let kind = UICollectionView.elementKindSectionFooter
            for case let footer as FeedFooterView in collectionView?.visibleSupplementaryViews(ofKind: kind) ?? [] {
                footer.show(update.status.next)
            }
        }
        feed.loadNext()
    }
}
