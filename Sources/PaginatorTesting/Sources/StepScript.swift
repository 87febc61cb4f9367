import PaginatorCore

/// The remaining steps of a scripted double.
struct StepScript<Step: Sendable>: Sendable {
    private var byKey: [ExactText: [Step]] = [:]
    private var inOrder: [Step] = []

    /// Adds steps for one key, or for calls of any key.
    mutating func add(_ steps: [Step], forKey key: String? = nil) {
        if let key { byKey[ExactText(key), default: []] += steps } else { inOrder += steps }
    }

    /// Removes and returns the next step of a key, else the next one of any key; `nil` if there is none.
    mutating func takeStep(for key: String) -> Step? {
        let key = ExactText(key)
        if byKey[key]?.isEmpty == false { return byKey[key]?.removeFirst() }
        return inOrder.isEmpty ? nil : inOrder.removeFirst()
    }
}
