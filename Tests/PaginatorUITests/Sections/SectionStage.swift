import PaginatorCore
import PaginatorLists
import PaginatorTesting

@testable import PaginatorUI

/// A list of items whose texts begin with the letter of their section, all on the thread of the test.
///
/// `@unchecked Sendable`: everything runs on the thread of the test.
final class SectionStage: @unchecked Sendable {
    typealias Sections = PaginatorListSections<SampleItem, Int, Character>

    let executor = SimulatedExecutor()
    let clock = ManualPaginatorClock()
    let list: PaginatorList<SampleItem, Int>
    /// What the source serves.
    let table: Table
    var sections: Sections
    /// What an update changed, for each since this was last emptied.
    var differences: [PaginatorSectionsDifference] = []
    var view = StrictSectionedView<SampleItem, PaginatorListSection<Character>.ID>()
    var complaints: [String] = []
    /// How many updates are left out before the next one is applied.
    var skips = 0

    /// `@unchecked Sendable`: everything runs on the thread of the test.
    final class Table: @unchecked Sendable {
        var pages: SamplePages
        var looks = 0
        init(_ pages: SamplePages) { self.pages = pages }
    }

    init(_ texts: [String], pageSize: Int = 50, windowItems: Int? = nil) {
        var pages = SamplePages(count: texts.count)
        for (index, text) in texts.enumerated() { pages.items[index].text = text }
        let table = Table(pages)
        self.table = table
        let source = ScriptedDataSource<SampleItem>(
            firstKey: "0", clock: clock,
            otherwise: { request in .result(table.pages.answer(to: request)).insideFetch })
        var config = DefaultPaginatorConfig()
        (config.executor, config.callbackExecutor, config.clock) = (executor, executor, clock)
        (config.randomSeed, config.maxAttempts) = (1, 1)
        var listConfig = PaginatorListConfig()
        (listConfig.pageSize, listConfig.prefetchDistance, listConfig.windowItems) = (pageSize, 0, windowItems)
        listConfig.addressing = .offset
        list = PaginatorList(CallbackPaginator(dataSource: source, config: config), config: listConfig)
        sections = Sections(by: { item in
            table.looks += 1
            return item.text.first ?? " "
        })
        list.observe { [unowned self] update in follow(update) }
    }

    /// Does something and runs what comes of it.
    func after(_ body: (PaginatorList<SampleItem, Int>) -> Void) {
        clock.advance(by: .milliseconds(10))
        body(list)
        while executor.runOne(choose: { _ in 0 }) {}
    }

    /// The sections as letters with their rows.
    var shown: [String] { sections.sections.indices.map { "\(sections.sections[$0].key): \(sections[$0].map(\.id))" } }

    private func follow(_ update: PaginatorListUpdate<SampleItem, Int>) {
        if skips > 0 {
            skips -= 1
            return
        }
        let difference = sections.apply(update)
        differences.append(difference)
        let content = sections.sections.indices.map { (sections.sections[$0].id, Array(sections[$0])) }
        do {
            try view.performBatchUpdates(difference, content: content)
        } catch {
            return complaints.append("\(error)")
        }
        // What is shown is what the list has, and a section is as long as it can be.
        let rows = Array(update.snapshot)
        if view.sections.flatMap(\.rows) != rows { complaints.append("shows \(view.sections), not \(rows)") }
        if view.sections.map(\.id) != content.map(\.0) { complaints.append("has headers \(view.sections.map(\.id))") }
        if Set(content.map(\.0)).count != content.count { complaints.append("two sections have one id") }
        for (section, after) in zip(content, content.dropFirst()) where section.0.key == after.0.key {
            complaints.append("two sections with one key stand together")
        }
        for (section, rows) in content where rows.isEmpty || rows.contains(where: { $0.text.first != section.key }) {
            complaints.append("section \(section) has \(rows)")
        }
        for position in rows.indices where sections.place(of: position).flatMap(sections.position) != position {
            complaints.append("position \(position) is not found by its place")
        }
    }
}
