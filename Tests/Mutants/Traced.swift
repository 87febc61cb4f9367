// Copied into the modules of tests, next to Switch.swift. Each test there has this trait.
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Writes which mutants a test has reached, and how long it took, as a line behind the file of `MUTANT_TRACE`.
struct Traced: TestTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard let reached = unsafe reachedMutants, let path = unsafe getenv("MUTANT_TRACE") else {
            return try await function()
        }
        unsafe reached.update(repeating: 0, count: mostMutants)
        let began = ContinuousClock.now
        try await function()
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let numbers = (0..<mostMutants).filter { unsafe reached[$0] != 0 }
        // The name without the file and the line.
        let name = "\(test.id)".replacing(#/\)/[^/]*\.swift.*$/#, with: ")")
        guard let file = unsafe fopen(String(cString: path) + ".tests", "a") else { return }
        unsafe fputs("\(name)\t\(seconds)\t\(numbers.map(String.init).joined(separator: " "))\n", file)
        unsafe fclose(file)
    }
}

extension Trait where Self == Traced {
    static var traced: Self { Self() }
}
