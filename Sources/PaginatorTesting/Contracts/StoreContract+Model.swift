import PaginatorCore

extension StoreContract {
    /// Random changes and loads, compared with a dictionary.
    func againstModel(_ run: ContractRun, _ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model: [PageIdentity: (items: [SampleItem], tags: [String], isInvalidated: Bool)] = [:]
        func selection() -> PageSelection {
            let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
            return [.identity(id), .identity(id), .key(id.key), .scope(id.scope), .all][
                random.chance(0.1) ? 4 : random.number(in: 0..<4)]
        }
        for step in 0..<1_500 {
            switch random.number(in: 0..<20) {
            case 0..<8:
                let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
                let tags = (0..<random.number(in: 0..<3)).map { _ in "\(random.number(in: 0..<4))" }
                let page = run.page("\(step)", random.number(in: 0..<4), tags: tags)
                run.apply([.save(id, page)])
                model[id] = (page.page.content, page.page.tags, false)
            case 8, 9:
                let selection = selection()
                run.apply([.remove(selection)])
                model = model.filter { !selection.contains($0.key) }
            case 10 where random.chance(0.5):
                let tag = "\(random.number(in: 0..<4))"
                run.apply([.invalidateTags([tag])])
                for (id, known) in model where known.tags.contains(tag) { model[id]?.isInvalidated = true }
            case 10:
                let selection = selection()
                run.apply([.invalidate(selection)])
                for id in model.keys where selection.contains(id) { model[id]?.isInvalidated = true }
            case 11, 12:
                let selection = selection()
                let item = random.number(in: 0..<3)
                let isRemoval = random.chance(0.3)
                let edit = PageEdit<SampleItem>.items {
                    $0.id == item
                } change: {
                    isRemoval ? nil : SampleItem(id: $0.id, text: $0.text + "+\(step)")
                }
                run.apply([.edit(selection, edit)])
                for (id, known) in model where selection.contains(id) {
                    let page = PaginatorPage(content: known.items, key: id.key)
                    let items = edit(page)?.content ?? known.items
                    model[id] = (items, known.tags, known.isInvalidated || items.count < known.items.count)
                }
            case 13: run.flush()
            default:
                let id = run.id("\(random.number(in: 0..<12))", 10, scope: ["", "s"][random.number(in: 0..<2)])
                let found = run.load(id)
                run.expect(
                    found?.page.content == model[id]?.items, "seed \(seed), step \(step): \(id) holds other items")
                run.expect(
                    found?.isInvalidated == model[id]?.isInvalidated,
                    "seed \(seed), step \(step): \(id) is marked wrong")
            }
        }
    }
}
