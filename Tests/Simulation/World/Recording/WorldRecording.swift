// `scripts/simulate` compiles the worlds without the inspector, where nothing is recorded.
#if canImport(PaginatorInspector)
    import PaginatorCore
    package import PaginatorInspector
    import PaginatorLists
    import PaginatorStorage

    /// Attaches an inspector to all that lives in a world, in virtual time.
    final class WorldRecording: WorldRecorder {
        /// How often states are recorded, beside those of a failure.
        private static let stateTimes = 200

        private let inspector: PaginatorInspector
        /// After so many events states are recorded.
        private let stateInterval: Int
        private var events = 0
        private var process = 0
        private var ofProcess: [PaginatorAttachment] = []
        private var ofPlaces: [Int: [PaginatorAttachment]] = [:]

        init(seed: UInt64, config world: WorldConfig, timeline: Timeline) {
            var config = PaginatorInspectorConfig()
            config.isEnabled = true
            config.allowsKeys = true
            config.appName = "simulate"
            config.seed = seed
            config.clock = timeline
            // The end is what a failing world is opened for, and the beginning tells how it came to it.
            config.maxTextBytes = 64_000_000
            inspector = PaginatorInspector(config: config)
            stateInterval = max(1, world.events / Self.stateTimes)
        }

        /// What was recorded.
        var recording: PaginatorRecording { inspector.recording() }

        func started(
            process number: Int, _ scheduler: PaginatorScheduler, _ store: PageFileStore<SimulatedItem>?
        ) {
            process = number
            ofPlaces = [:]
            ofProcess = [inspector.attach(scheduler, name: "Scheduler, process \(number)")]
            if let store { ofProcess.append(inspector.attach(store, name: "Store, process \(number)")) }
        }

        func started(_ place: Place) {
            guard let paginator = place.paginator else { return }
            let name = "Paginator \(place.number), process \(process)"
            ofPlaces[place.number] =
                [inspector.attach(paginator, name: name)]
                + place.lists.map {
                    inspector.attach(
                        $0.list, name: "List \($0.number) of paginator \(place.number), process \(process)")
                }
        }

        func note(_ text: String) { inspector.note(text) }

        func failed(_ message: String) {
            inspector.note(message, isFailure: true)
            inspector.recordStates()
        }

        func happened() {
            events += 1
            if events % stateInterval == 0 { inspector.recordStates() }
        }
    }

    extension Simulation {
        /// Runs the world of a seed as ``run(seed:config:plan:keepsLog:)`` does, and records it; the same arguments give
        /// the same bytes.
        package static func record(
            seed: UInt64, config: WorldConfig, plan: [WorldEvent]? = nil
        ) -> (outcome: SimulationOutcome, recording: PaginatorRecording) {
            let timeline = Timeline(seed: seed, config: config)
            let recorder = WorldRecording(seed: seed, config: config, timeline: timeline)
            let world = World(seed: seed, config: config, timeline: timeline, recorder: recorder)
            return (run(world, plan: plan, keepsLog: false), recorder.recording)
        }
    }
#endif
