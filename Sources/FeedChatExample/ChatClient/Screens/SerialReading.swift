/// Reads again after a change, one read at a time and in order: two concurrent reads could end in reverse order, and
/// leave an old state.
@MainActor
final class SerialReading {
    private let read: @MainActor () async -> Void
    private var running: Task<Void, Never>?
    private var next: Task<Void, Never>?

    init(_ read: @escaping @MainActor () async -> Void) { self.read = read }

    /// Returns when a read that began after the call has ended. All callers before its begin share it.
    func run() async {
        if next == nil {
            let before = running
            next = Task { @MainActor [weak self] in
                await before?.value
                await self?.begin()
            }
        }
        await next?.value
    }

    private func begin() async {
        running = next
        next = nil
        await read()
    }
}
