import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorUI
import SwiftUI
import UIKit

nonisolated struct Message: Identifiable, Sendable {
    let id: String
    let text: String
    /// `nil` until the server has it.
    let number: Int?
    /// The message that it answers, and the key of that one's page.
    let quote: (id: String, key: String)?
}

final class MessageCell: UICollectionViewCell {
    func show(_ message: Message) {}
}

final class UnreadLine: UICollectionReusableView {
    func show(isUnread: Bool) {}
}

final class LoadFooter: UICollectionReusableView {
    func show(_ state: PaginatorLoadState, retry: @escaping @MainActor () -> Void) {}
}

@MainActor final class ChatController {
    private let collectionView = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain)))
    private var adapter: PaginatorListAdapter<Message, Message.ID>?

    func show(_ conversation: PaginatorList<Message, Message.ID>, firstUnread: Int) {
        let cells = UICollectionView.CellRegistration<MessageCell, Message> { cell, _, message in cell.show(message) }
        let lines = UICollectionView.SupplementaryRegistration<UnreadLine>(
            elementKind: UICollectionView.elementKindSectionHeader
        ) { _, _, _ in }
        // The unread messages are a section of their own, and its header is the unread line.
        adapter = PaginatorListAdapter(
            conversation, collectionView: collectionView,
            sections: { message in (message.number ?? .max) >= firstUnread },
            header: { view, indexPath, isUnread in
                let line = view.dequeueConfiguredReusableSupplementary(using: lines, for: indexPath)
                line.show(isUnread: isUnread)
                return line
            },
            cell: { view, indexPath, message in
                view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: message)
            })
        adapter?.followsEnd = true
        conversation.loadNext()
    }

    func showQuote(of message: Message) {
        guard let adapter, let quote = message.quote else { return }
        if !adapter.show(quote.id) { adapter.list.jump(to: quote.key) }
    }
}

@MainActor final class FooterController {
    private let collectionView = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain)))
    private var adapter: PaginatorListAdapter<Post, Post.ID>?

    func show(_ feed: PaginatorList<Post, Post.ID>) {
        let cells = UICollectionView.CellRegistration<PostCell, Post> { cell, _, post in cell.show(post) }
        let kind = UICollectionView.elementKindSectionFooter
        let footers = UICollectionView.SupplementaryRegistration<LoadFooter>(elementKind: kind) { footer, _, _ in
            footer.show(feed.status.next) { feed.retry() }
        }
        adapter = PaginatorListAdapter(
            feed, collectionView: collectionView,
            supplementary: { view, kind, indexPath in
                guard kind == UICollectionView.elementKindSectionFooter else { return nil }
                return view.dequeueConfiguredReusableSupplementary(using: footers, for: indexPath)
            },
            cell: { view, indexPath, post in
                view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: post)
            })
        // The footers that are visible already.
        adapter?.onUpdate = { [weak collectionView] update in
            for case let footer as LoadFooter in collectionView?.visibleSupplementaryViews(ofKind: kind) ?? [] {
                footer.show(update.status.next) { feed.retry() }
            }
        }
        addPull(of: feed)
        feed.loadNext()
    }

    private func addPull(of feed: PaginatorList<Post, Post.ID>) {
        let control = UIRefreshControl()
        let refresh = UIAction { action in
            let control = action.sender as? UIRefreshControl
            Task {
                // `status.refresh` has the error, and `feed.retry()` tries again.
                try? await feed.refreshAndWait()
                control?.endRefreshing()
            }
        }
        control.addAction(refresh, for: .valueChanged)
        collectionView.refreshControl = control
    }
}

struct MessageRow: View {
    let message: Message
    let showQuote: () -> Void

    var body: some View { Button("\(message.text)") { showQuote() } }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
struct ChatScreen: View {
    let conversation: PaginatorListModel<Message, Message.ID>
    /// The message that the user sent last.
    let sentID: Message.ID?

    var body: some View {
        ScrollViewReader { proxy in
            PaginatedList(conversation, layout: .stack()) { message in
                MessageRow(message: message) { showQuote(of: message, proxy) }
            }
            .followsEnd()
            .newBelow { count, show in Button("\(count) new") { show() } }
            .refresh(nil)
            .onChange(of: conversation.items.last?.id) {
                guard let sentID, sentID == conversation.items.last?.id else { return }
                proxy.scrollTo(PaginatorRowID.item(sentID), anchor: .bottom)
            }
        }
    }

    private func showQuote(of message: Message, _ proxy: ScrollViewProxy) {
        guard let quote = message.quote else { return }
        if conversation.items.contains(id: quote.id) {
            proxy.scrollTo(PaginatorRowID.item(quote.id), anchor: .top)
        } else {
            conversation.list.jump(to: quote.key)
        }
    }
}
