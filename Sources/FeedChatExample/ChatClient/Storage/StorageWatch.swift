package import AppFoundation
package import Foundation
package import PaginatorCore

/// The free space of the device.
package struct StorageStatus: Sendable, Hashable {
    package var level = StorageLevel.enough
    /// `nil` if it cannot be measured.
    package var freeBytes: Int64?

    package init() {}
}

/// Measures the free space regularly while the app is visible, when it becomes visible, and on request.
package final class StorageWatch: Sendable {
    private struct State {
        var machine: StorageMachine
        var timer: (any PaginatorTimer)?
        var observation: (any AnyObject & Sendable)?
    }

    private let environment: AppEnvironment
    private let clock: any PaginatorClock
    private let freeBytes: @Sendable () -> Int64?
    private let observed = Observed(StorageStatus(), label: "storage")
    private let levels = Observed(StorageLevel.enough, label: "storage-level")
    private let state: Guarded<State>

    /// Creates a watch, which measures at once.
    ///
    /// - Parameter freeBytes: returns the free bytes of the volume; `nil` if unknown. It may block for a moment, and is
    ///   called on the clock's threads.
    package init(
        _ environment: AppEnvironment, machine: StorageMachine = StorageMachine(),
        clock: any PaginatorClock = SystemPaginatorClock(), freeBytes: @escaping @Sendable () -> Int64?
    ) {
        self.environment = environment
        self.clock = clock
        self.freeBytes = freeBytes
        state = Guarded(State(machine: machine))
        let timer = clock.makeTimer { [weak self] in self?.measure() }
        let observation = environment.observeState { [weak self] _ in self?.measure() }
        state.withLock { state in
            state.timer = timer
            state.observation = observation
        }
        measure()
    }

    deinit { state.withLock { $0.timer }?.disarm() }

    package var status: StorageStatus { observed.value }

    /// Calls `handler` with each new status until the observation is released.
    package func observe(_ handler: @escaping @Sendable (StorageStatus) -> Void) -> any AnyObject & Sendable {
        observed.observe(handler)
    }

    /// Calls `handler` with each new level until the observation is released, but not for changes within a level.
    package func observeLevel(_ handler: @escaping @Sendable (StorageLevel) -> Void) -> any AnyObject & Sendable {
        levels.observe(handler)
    }

    /// Measures now, for example after data was deleted.
    package func measure() {
        guard environment.state.lifecycle == .foreground else {
            state.withLock { $0.timer }?.disarm()
            return
        }
        let free = freeBytes()
        let (timer, level, interval) = state.withLock { state in
            state.machine.measured(free)
            return (state.timer, state.machine.level, state.machine.interval)
        }
        observed.update { status in
            status.level = level
            // Rounded to megabytes, because every byte would be a change.
            status.freeBytes = free.map { $0 / 1_000_000 * 1_000_000 }
        }
        levels.update { $0 = level }
        timer?.arm(at: clock.now.advanced(by: interval))
    }

    /// Returns the free bytes of a folder's volume; `nil` if the system does not report them.
    package static func freeBytes(at folder: URL) -> Int64? {
        // A volume that cannot be read counts as unknown.
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
}
