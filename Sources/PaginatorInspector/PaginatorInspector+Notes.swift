import PaginatorCore

extension PaginatorInspector {
    /// Records something that happened around what is attached, such as a step of a simulated world.
    ///
    /// - Parameters:
    ///   - text: what happened; it counts as user data.
    ///   - isFailure: whether it is what somebody will look for.
    package func note(_ text: String, isFailure: Bool = false) {
        guard config.isEnabled else { return }
        recorder.note(text, isFailure: isFailure, at: time)
    }
}
