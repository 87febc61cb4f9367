#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `simulate`: runs simulated worlds; `scripts/simulate` builds and starts it.
@main
enum Simulate {
    static func main() {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        let isGood =
            switch arguments.command {
            default: WorldCommand(arguments).run()
            }
        exit(isGood ? 0 : 1)
    }
}
