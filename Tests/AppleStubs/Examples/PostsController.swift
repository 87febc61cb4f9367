import PaginatorCore
import PaginatorLists
import PaginatorUI
import UIKit

protocol PostServer: Sendable {
    func delete(_ id: Post.ID) async throws
}

@MainActor final class PostsController: NSObject, UITableViewDelegate {
    private let adapter: PaginatorListAdapter<Post, Post.ID>
    private let server: any PostServer
    private let show: @MainActor (Post) -> Void

    init(
        _ list: PaginatorList<Post, Post.ID>, _ tableView: UITableView, _ server: any PostServer,
        show: @escaping @MainActor (Post) -> Void
    ) {
        self.server = server
        self.show = show
        adapter = PaginatorListAdapter(list, tableView: tableView, canEdit: { _ in true }) { view, indexPath, _ in
            view.dequeueReusableCell(withIdentifier: "post", for: indexPath)
        }
        super.init()
        tableView.delegate = self
        list.loadNext()
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        if let post = adapter.item(at: indexPath) { show(post) }
    }

    func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        guard let post = adapter.item(at: indexPath) else { return nil }
        let (edits, server) = (adapter.list.edits, server)
        let delete = UIContextualAction(style: .destructive, title: "Delete") { _, _, completion in
            // The row is hidden at once, and comes back if the server refuses.
            let deletion = edits.begin(post.id) { _ in nil }
            Task {
                do {
                    try await server.delete(post.id)
                    deletion.commit()
                } catch {
                    deletion.rollBack()
                }
            }
            completion(true)
        }
        return UISwipeActionsConfiguration(actions: [delete])
    }
}
