extension PaginatorListUpdate: Equatable where T: Equatable {
    /// Whether both tell the same change of equal snapshots.
    public static func == (left: Self, right: Self) -> Bool {
        left.snapshot == right.snapshot && left.difference == right.difference && left.status == right.status
            && left.anchor == right.anchor && left.notices == right.notices
    }
}
