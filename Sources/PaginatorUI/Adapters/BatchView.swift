/// A view with a plain data source, as it changes from one set of rows to another.
@MainActor
protocol BatchView {
    typealias Place = PaginatorBatch.Place

    var isInWindow: Bool { get }

    func reloadData()

    /// Performs steps in one batch.
    func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (_ isFinished: Bool) -> Void)

    /// Performs a batch's steps, except the updates.
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
        // An empty batch would make the view compute all heights again.
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
