import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorUI
import SwiftUI

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
struct FeedScreen: View {
    @State private var feed: PaginatorListModel<Post, Post.ID>

    init(_ paginator: CallbackPaginator<Post>) {
        _feed = State(wrappedValue: PaginatorListModel(PaginatorList(paginator)))
    }

    var body: some View {
        PaginatedList(feed) { post in PostRow(post) }
            .empty { Text("No posts yet") }
            .footer { state, retry in FeedFooter(state: state, retry: retry) }
            .newAbove { count, show in Button("\(count) new") { show() } }
            .navigationTitle("Feed")
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
struct SearchScreen: View {
    let found: PaginatorListModel<Post, Post.ID>
    @State private var text = ""

    var body: some View {
        PaginatedList(found) { post in PostRow(post) }
            .searchable(text: $text)
            .onChange(of: text) { found.list.show(scope: text) }
    }
}
