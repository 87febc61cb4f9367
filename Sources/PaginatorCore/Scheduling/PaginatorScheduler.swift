/// Decides which loads start, when, and whether they are tried again. It can be shared by several paginators.
public final class PaginatorScheduler: Sendable {
}
