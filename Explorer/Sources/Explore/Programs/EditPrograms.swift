@testable import PaginatorCore

/// What a page shows: the committed edits in their order, and after them the pending one.
struct EditModel: SequentialModel {
    enum Call: Sendable {
        case begin(Int)
        case commit(Int)
        case shown
        case current
    }

    private var committed: [Int] = []
    private var pending: Int?

    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        switch call {
        case .begin(let edit): pending = edit
        case .commit(let edit):
            committed.append(edit)
            pending = nil
        case .shown: return outcome == committed + (pending.map { [$0] } ?? [])
        case .current: return outcome == committed
        }
        return true
    }
}

private final class Row: Sendable {
    let edits: [Int]

    init(_ edits: [Int]) {
        self.edits = edits
    }
}

private final class EditRig: Sendable {
    let history = History<EditModel.Call, [Int]>()
    let complaints = Complaints()
    let log = EditLog()

    func page() -> LoadedPage {
        var page = LoadedPage.numbered(0)
        page.object = Row([])
        return page
    }

    private func change(_ edit: Int) -> EditLog.Change {
        { [complaints] object in
            complaints.expectNoLock("an edit")
            return (object as? Row).map { Row($0.edits + [edit]) }
        }
    }

    private func edits(_ page: LoadedPage) -> [Int] { (page.object as? Row)?.edits ?? [] }

    func begin(_ edit: Int) {
        history.record(.begin(edit)) {
            log.setPending(change(edit))
            return []
        }
    }

    func commit(_ edit: Int) {
        history.record(.commit(edit)) {
            _ = log.append(change(edit), at: .zero)
            return []
        }
    }

    func show(_ page: LoadedPage) { history.record(.shown) { edits(log.shown(page)) } }

    /// As when an answer is put into memory; the page as it is there.
    func admit(_ page: LoadedPage) -> LoadedPage {
        let begun = history.begin(.current)
        let current = log.current(page)
        history.end(begun, edits(current))
        return current
    }

    var complaint: String? {
        show(page())
        return complaints.first ?? EditModel().complaint(about: history)
    }
}

let editPrograms = [
    Program("edits", "begin, commit an edit | a page is read twice | a page is admitted, then read") {
        let rig = EditRig()
        return Run(threads: [
            {
                rig.begin(1)
                rig.commit(1)
            },
            { for _ in 0..<2 { rig.show(rig.page()) } },
            { rig.show(rig.admit(rig.page())) },
        ]) { rig.complaint }
    },
    Program("edits-two", "commit | commit | a page is admitted, admitted again, and read") {
        let rig = EditRig()
        return Run(threads: [
            { rig.commit(1) }, { rig.commit(2) },
            {
                let page = rig.admit(rig.page())
                rig.show(rig.admit(page))
            },
        ]) { rig.complaint }
    },
]
