extension PaginatorListUpdate: Equatable where T: Equatable {
    /// Whether both tell the same of equal snapshots.
    public static func == (left: Self, right: Self) -> Bool {
        left.snapshot == right.snapshot && left.status == right.status && left.anchor == right.anchor
            && left.notices == right.notices
    }
}
