import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// Prints what a screen shows: a banner, the rows, and a footer.
func draw(_ list: PaginatorList<Post, Post.ID>) {
    let (rows, status) = (list.snapshot, list.status)
    switch status.freshness {
    case .offline: print("  [ Offline. These posts were saved earlier. ]")
    case .failed: print("  [ These posts could not be renewed. ]")
    case .stale, .fresh, nil: break
    }
    print("  \(rows.count) rows: \(rows.first?.text ?? "none") to \(rows.last?.text ?? "none")")
    switch status.next {
    case .loading: print("  [ loading ]")
    case .failed(let error): print("  [ \(error.code == .offline ? "No connection." : "\(error.code)") Try again ]")
    case .endReached: print("  [ That is all. ]")
    case .idle: break
    }
}

/// Performs an action, and waits for an update of the list that fulfills the condition.
func after(
    _ action: () -> Void, of list: PaginatorList<Post, Post.ID>,
    until isTrue: (PaginatorListUpdate<Post, Post.ID>) -> Bool
) async {
    action()
    for await update in list.states() where isTrue(update) { return }
}
