/// A view with a plain data source, as it goes from some rows to others.
@MainActor
protocol BatchView {
    typealias Place = PaginatorBatch.Place

    var isInWindow: Bool { get }

    func reloadData()

    /// Runs steps as one batch.
    func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (_ isFinished: Bool) -> Void)

    /// The steps of a batch: all but the updates.
    func change(_ difference: PaginatorSectionsDifference)

    func configureAnew(_ places: [Place])
}

extension BatchView {
    func show(
        _ difference: PaginatorSectionsDifference, setRows: @escaping () -> Void,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        guard isInWindow else {
            setRows()
            reloadData()
            completion?(true)
            return
        }
        // After a batch without steps a view asks for all heights anew.
        if difference.hasOnlyUpdates {
            setRows()
        } else {
            runBatch(
                {
                    setRows()
                    change(difference)
                }, { isFinished in completion?(isFinished) })
        }
        if !difference.rows.updates.isEmpty { configureAnew(difference.rows.updates) }
        if difference.hasOnlyUpdates { completion?(true) }
    }
}
