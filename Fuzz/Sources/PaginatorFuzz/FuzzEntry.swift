import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One executable holds every target, so that the library is compiled and linked once; `PAGINATOR_FUZZ_TARGET` names the
/// one that runs.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "keys": fuzzKeys,
    "codecs": fuzzCodecs,
    "rows": fuzzRows,
    "lists": fuzzLists,
    "headers": fuzzHeaders,
    "json": fuzzJSON,
    "pages": fuzzPages,
    "addresses": fuzzAddresses,
    "transfers": fuzzTransfers,
]

/// The driver of libFuzzer's library, https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ fuzzOne: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The target that runs, known once the driver starts.
private let chosen: @Sendable ([UInt8]) -> Void = {
    let name = getenv("PAGINATOR_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = targets[name] else {
        print("PAGINATOR_FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", ")), not '\(name)'")
        exit(2)
    }
    return target
}()

@main
enum FuzzEntry {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { start, count in
                chosen(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            })
    }
}

/// Ends the process, which libFuzzer takes for a crash, when something does not hold that must hold for every input.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if !condition { fatalError("broken promise: \(promise())") }
}

/// Returns what `body` returns, or `nil` when it refuses the input, which every input may be.
func accepted<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value? {
    do throws(Failure) { return try body() } catch { return nil }
}
