/// The steps of closing something: each runs although an earlier one has failed.
package struct ClosingSteps: Sendable {
    private var failure: (any Error)?

    package init() {}

    package mutating func run(_ step: @Sendable () async throws -> Void) async {
        do {
            try await step()
        } catch {
            failure = failure ?? error
        }
    }

    /// Throws the first failure, if there is one.
    package func finish() throws {
        if let failure { throw failure }
    }
}
