import PaginatorLists
import UIKit

@MainActor final class SearchController: NSObject, UISearchResultsUpdating {
    private let list: PaginatorList<Post, Post.ID>
    private var shownText = ""

    init(_ list: PaginatorList<Post, Post.ID>) {
        self.list = list
        super.init()
    }

    func updateSearchResults(for searchController: UISearchController) {
        let text = searchController.searchBar.text ?? ""
        guard text != shownText else { return }
        shownText = text
        list.show(scope: text)
    }
}
