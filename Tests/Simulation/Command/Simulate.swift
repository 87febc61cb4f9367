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
            case "worlds": WorldCommand(arguments).run()
            case "fleet": FleetCommand(arguments: arguments).run()
            case "outage": OutageCommand().run()
            case "prefetch": PrefetchCommand().run()
            case "scrolling": ScrollingCommand(arguments: arguments).run()
            case "users": UserCommand(arguments: arguments).run()
            default: unknown(arguments.command)
            }
        exit(isGood ? 0 : 1)
    }

    private static func unknown(_ command: String) -> Bool {
        print("there is no \(command) to simulate; known: worlds, users, fleet, outage, prefetch, scrolling")
        return false
    }
}
