import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// The sections of what a SwiftUI view shows of a model.
@MainActor @Suite struct ModelSectionTests {
    private typealias Memory = ScreenMemory<SampleItem, Int>

    @Test func `a model that tells no updates has sections of what it shows`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let memory = Memory()
        let sections = PaginatorListSections<SampleItem, Int, AnySectionKey>(erasing: { $0.id / 8 })
        func counts() -> [Int] {
            _ = memory.follow(stage.list.snapshot, stage.list.status)
            memory.follow(nil, 0, in: sections)
            return memory.sections?.sections.map(\.count) ?? []
        }
        #expect(counts() == [8, 2])
        stage.load(20)
        #expect(counts() == [8, 8, 4])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `sections follow what a model was told last, also when a view was not made for each`() {
        let stage = ShelfStage(0..<60)
        let model = PaginatorListModel(stage.list)
        let memory = Memory()
        let sections = PaginatorListSections<SampleItem, Int, AnySectionKey>(erasing: { $0.id / 8 })
        func follow() -> [Int?] {
            memory.follow(model.shown.update, model.shown.count, in: sections)
            return memory.sections?.sections.map { $0.key.base as? Int } ?? []
        }
        #expect(follow().isEmpty)
        stage.load(10)
        #expect(follow() == [0, 1])
        #expect(follow() == [0, 1])
        stage.load(20)
        stage.load(30)
        #expect(follow() == [0, 1, 2, 3])
        #expect(memory.sections?.sections.map(\.count) == [8, 8, 8, 6])
    }

    @Test func `sections follow another model of the same list, also after as many updates`() {
        let stage = ShelfStage(0..<60)
        let memory = Memory()
        let sections = PaginatorListSections<SampleItem, Int, AnySectionKey>(erasing: { $0.id / 8 })
        /// The number of items in each section, for a model that had one update.
        func counts() -> [Int] {
            var update: PaginatorListUpdate<SampleItem, Int>?
            let observation = stage.list.observe(onMain: { update = $0 })
            stage.run()
            observation.cancel()
            memory.follow(update, 1, in: sections)
            return memory.sections?.sections.map(\.count) ?? []
        }
        stage.load(10)
        #expect(counts() == [8, 2])
        stage.load(20)
        #expect(counts() == [8, 8, 4])
    }
}
