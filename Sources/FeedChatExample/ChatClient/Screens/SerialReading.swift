/// Reads again when something has changed, one reading at a time and in order: two that run side by side could end the
/// other way round, and an old state would stand.
@MainActor
final class SerialReading {
    private let read: @MainActor () async -> Void
    private var running: Task<Void, Never>?
    private var next: Task<Void, Never>?

    init(_ read: @escaping @MainActor () async -> Void) { self.read = read }

    /// Returns when a reading that began after the call has ended; all who ask before it begins share it.
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
