extension PaginatorListUpdate: Equatable where T: Equatable {
    /// Whether both have equal snapshots, differences, statuses, anchors and notices.
    public static func == (left: Self, right: Self) -> Bool {
        left.snapshot == right.snapshot && left.difference == right.difference && left.status == right.status
            && left.anchor == right.anchor && left.notices == right.notices
    }
}
