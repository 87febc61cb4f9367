import PaginatorCore
import PaginatorStorage

/// Records what happens in a world; it only looks on.
protocol WorldRecorder: AnyObject {
    /// A process began; its paginators come after its scheduler and its store.
    func started(
        process number: Int, _ scheduler: PaginatorScheduler, _ store: PageFileStore<SimulatedItem>?)

    /// The paginator of a place began, in place of the last one, with its lists.
    func started(_ place: Place)

    /// Something happened, in words.
    func note(_ text: String)

    /// A promise was not kept.
    func failed(_ message: String)

    /// What a plan wanted has happened.
    func happened()
}
