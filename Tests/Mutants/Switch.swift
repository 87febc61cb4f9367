// Copied into each module whose sources have mutants, and into the modules of their tests.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The mutant that this process runs; 0 for none.
private let active = unsafe getenv("MUTANT").map { unsafe Int(atoi($0)) } ?? 0

let mostMutants = 100_000

/// A byte for each mutant, 1 once it is reached, in a file that all modules of the process map; `nil` without one.
nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8>? = {
    guard let path = unsafe getenv("MUTANT_TRACE") else { return nil }
    let file = unsafe open(path, O_RDWR | O_CREAT, 0o600)
    guard file >= 0, ftruncate(file, mostMutants) == 0 else { return nil }
    let memory = unsafe mmap(nil, mostMutants, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return unsafe memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: UInt8.self)
}()

@usableFromInline
@inline(never)
func isMutant(_ number: Int) -> Bool {
    // Threads may set the same byte at once, to the same value.
    if let reached = unsafe reachedMutants { unsafe reached[number] = 1 }
    return number == active
}
