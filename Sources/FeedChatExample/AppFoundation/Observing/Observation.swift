/// Runs a closure when it is released.
package final class Observation: Sendable {
    private let end: @Sendable () -> Void

    package init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}
