// The app's views, for the comments that are checked with SwiftUI and UIKit.
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorUI
import SwiftUI
import UIKit

struct PostRow: View {
    init(_ post: Post) {}
    var body: some View { Text("") }
}
struct FeedFooter: View {
    init(state: PaginatorLoadState, retry: @escaping () -> Void) {}
    var body: some View { Text("") }
}
final class PostTableCell: UITableViewCell { func show(_ post: Post) {} }
final class PostCell: UICollectionViewCell { func show(_ post: Post) {} }
@MainActor final class RowSource {
    var rows = PaginatorListSnapshot<Post, Post.ID>()
    var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
    var prefetcher: AnyObject?
}
@MainActor let cells: UICollectionView.CellRegistration<PostCell, Post> = given()
final class DayHeader: UICollectionReusableView { func show(_ day: Day) {} }
@MainActor let headers: UICollectionView.SupplementaryRegistration<DayHeader> = given()
@MainActor let dataSource: RowSource = given()
@MainActor let collectionView: UICollectionView = given()
@MainActor let tableView: UITableView = given()
@MainActor let feedModel: PaginatorListModel<Post, Post.ID> = given()
