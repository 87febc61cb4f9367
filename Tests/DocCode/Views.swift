// As much of SwiftUI and UIKit as the comments name that are checked where neither is there.
import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorUI

@MainActor protocol View {}
struct PostRow: View { init(_ post: Post) {} }
@MainActor @propertyWrapper struct State<Value> { var wrappedValue: Value }
struct List<Rows: RandomAccessCollection, ID, Row: View>: View {
    init(_ rows: Rows, id: KeyPath<Rows.Element, ID>, @ViewBuilder row: (Rows.Element) -> Row) {}
    func refreshable(_ action: @escaping @Sendable () async -> Void) -> some View { self }
}
@resultBuilder enum ViewBuilder { static func buildBlock<V: View>(_ view: V) -> V { view } }

@MainActor final class CollectionView {
    func performBatchUpdates(_ updates: () -> Void) {}
    func deleteItems(at paths: [IndexPath]) {}
    func insertItems(at paths: [IndexPath]) {}
    func moveItem(at path: IndexPath, to new: IndexPath) {}
    func reconfigureItems(at paths: [IndexPath]) {}
    func perform(_ difference: PaginatorSectionsDifference, setRows: () -> Void) {}
}
let collectionView: CollectionView = given()
@MainActor final class RowSource {
    var rows = PaginatorListSnapshot<Post, Post.ID>()
    var days = PaginatorListSections<Post, Post.ID, Day>(by: { $0.day })
}
let dataSource: RowSource = given()
