import Notes
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@MainActor
@Suite struct NoteListModelTests {
    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let plan = FaultPlan(then: .latency(.milliseconds(300)))

    private func makeModel() -> NoteListModel {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.maxAttempts = 1
        let notes = (0..<95).map { Note(id: $0, text: "note \($0)") }
        return NoteListModel(source: NoteSource(notes).faulty(plan, clock: clock), config: config)
    }

    @Test func showsWhatOneScrollsTo() {
        let model = makeModel()
        let driver = ScrollDriver(model.list, screenSize: 6, clock: clock, executor: executor)
        driver.refresh()
        #expect(model.titles.first == "note 94")
        #expect(driver.scroll(to: 40).map(\.id) == [54, 53, 52, 51, 50, 49])
        #expect(model.titles.count >= 46)
        #expect(driver.append { _ in true }.count == 95)
        #expect(driver.fling(to: 89).last?.id == 0)
    }

    @Test func keepsItsNotesDuringAnOutage() {
        let model = makeModel()
        let driver = ScrollDriver(model.list, screenSize: 6, clock: clock, executor: executor)
        driver.refresh()
        plan.always(.loss)
        driver.scroll(to: 60)
        #expect(model.message == "The notes could not be loaded.")
        #expect(!model.titles.isEmpty)
        plan.heal()
        driver.retry()
        #expect(model.message == nil)
        #expect(driver.scroll(to: 60).first?.id == 34)
    }

    @Test func isCalmUnderRandomFaults() {
        for seed in UInt64(1)...20 {
            var chances = FaultChances()
            (chances.failure, chances.duplicate, chances.overtaken) = (0.2, 0.2, 0.2)
            chances.latency = .milliseconds(10)...(.seconds(3))
            plan.change(to: chances)
            let model = makeModel()
            let driver = ScrollDriver(model.list, screenSize: 6, clock: clock, executor: executor)
            var random = SeededRandom(seed: seed)
            for _ in 0..<20 {
                driver.scroll(by: random.number(in: -20..<30))
                if model.message != nil { driver.retry() }
                if random.chance(0.1) { driver.refresh() }
            }
            let ids = model.list.snapshot.map(\.id)
            #expect(ids == ids.sorted(by: >) && Set(ids).count == ids.count, "seed \(seed)")
        }
    }
}
