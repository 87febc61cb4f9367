// Copied into each module whose sources have mutants.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The mutant that this process runs; 0 for none.
private let active = unsafe getenv("MUTANT").map { unsafe Int(atoi($0)) } ?? 0
/// Where to say at the end which mutants were come by.
private let trace = unsafe getenv("MUTANT_TRACE").map { unsafe String(cString: $0) }
nonisolated(unsafe) private let reached: UnsafeMutablePointer<UInt8>? = {
    guard trace != nil else { return nil }
    let reached = UnsafeMutablePointer<UInt8>.allocate(capacity: 100_000)
    unsafe reached.initialize(repeating: 0, count: 100_000)
    atexit { writeTrace() }
    return unsafe reached
}()

private func writeTrace() {
    guard let trace, let reached = unsafe reached, let file = unsafe fopen(trace, "a") else { return }
    for number in 0..<100_000 where unsafe reached[number] != 0 { unsafe fputs("\(number)\n", file) }
    unsafe fclose(file)
}

@usableFromInline
@inline(never)
func isMutant(_ number: Int) -> Bool {
    // Threads may set the same byte at once, to the same value.
    if let reached = unsafe reached { unsafe reached[number] = 1 }
    return number == active
}
