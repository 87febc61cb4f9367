import PaginatorCore

extension WriteBehindMachine {
    mutating func load(_ identity: PageIdentity, for waiter: LoadWaiter) {
        if isOff { return act(.answer(waiter, .absent)) }
        start()
        admit(Load(identity: identity, waiter: waiter, asOf: sequence))
    }

    private mutating func admit(_ load: Load) {
        if answersByOverlay(load) { return }
        if writing.bars(load.identity) { return loadsBlockedByEdit.append(load) }
        queuedLoads.append(load)
        startReads()
    }

    private mutating func answersByOverlay(_ load: Load) -> Bool {
        guard let overlay = overlays[load.identity] else { return false }
        guard let page = overlay.page, !wasSavedAfterEdit(overlay, load) else {
            act(.answer(load.waiter, .absent))
            return true
        }
        noteUse(load.identity)
        let edits = overlay.edits.filter { $0.sequence <= load.asOf }.map(\.edit)
        let isInvalidated = overlay.invalidated.map { $0 <= load.asOf } ?? false
        act(.answer(load.waiter, .page(page, edits: edits, isInvalidated: isInvalidated)))
        return true
    }

    /// Returns whether a page was saved after a load, and after an edit that the load must not show. It may already
    /// contain the edit, which the caller would apply again.
    private func wasSavedAfterEdit(_ overlay: Overlay, _ load: Load) -> Bool {
        guard overlay.sequence > load.asOf else { return false }
        // All are still here: an edit of a page is committed only after earlier loads have read the page.
        let pending = [writing.commit?.entries ?? [], log].joined()
        return pending.contains { entry in
            guard case .edit(let selection, _) = entry.change else { return false }
            return load.asOf < entry.sequence && entry.sequence < overlay.sequence && selection.contains(load.identity)
        }
    }

    private mutating func startReads() {
        // Each read blocks a thread.
        while reads.count < config.maxParallelReads, let load = queuedLoads.popFirst() { begin(load) }
    }

    /// Reads a page for a load. Overlays are checked only now, because a commit may have written the page before.
    private mutating func begin(_ load: Load) {
        if answersByOverlay(load) { return }
        var read = Read(load: load)
        let entries = pendingEntries(for: load.identity)
        // A later one as well: the page may be gone from the file by now.
        if entries.contains(where: { if case .remove = $0.change { true } else { false } }) {
            return act(.answer(load.waiter, .absent))
        }
        for entry in entries where entry.sequence <= load.asOf {
            switch entry.change {
            // A saved page has an overlay, which was checked above.
            case .save, .remove: break
            case .invalidate: read.isInvalidated = true
            case .invalidateTags(let tags): read.invalidatedTags += tags
            case .edit(_, let edit): read.edits.append(edit)
            }
        }
        nextRead += 1
        reads[nextRead] = read
        act(.read(nextRead, load.identity))
    }

    mutating func readFinished(_ token: Int, _ result: ReadResult) {
        guard let read = reads.removeValue(forKey: token) else { return }
        let (identity, waiter) = (read.load.identity, read.load.waiter)
        switch result {
        case .failed(let error):
            if error.storeKind == .newer || error.storeKind == .foreign { turnOff(error) }
            act(.answer(waiter, .failed(error)))
        case _ where read.isOvertaken && !isOff:
            // Invalidations and edits of the former page would be applied to the saved one.
            queuedLoads.prepend(read.load)
        case .absent: act(.answer(waiter, .absent))
        case .page(let page):
            noteUse(identity)
            let isInvalidated = read.isInvalidated || page.page.hasTag(in: read.invalidatedTags)
            act(.answer(waiter, .page(page, edits: read.edits, isInvalidated: isInvalidated)))
        case .damaged(let error):
            // A page that was saved meanwhile replaces it anyway.
            if overlays[identity] == nil, !isOff {
                append(.remove(.identity(identity)))
                lingerOrCommit()
            }
            act(.answer(waiter, .failed(error)))
        }
        startReads()
        advance()
    }

    /// Answers the loads that have not begun as if there were no page.
    mutating func endWaitingLoads() {
        for load in queuedLoads.elements + loadsBlockedByEdit { act(.answer(load.waiter, .absent)) }
        (queuedLoads, loadsBlockedByEdit) = (Queue(), [])
    }

    /// Continues loads that waited for a commit.
    mutating func admitBarredLoads() {
        let loads = loadsBlockedByEdit
        loadsBlockedByEdit = []
        for load in loads { admit(load) }
    }

    /// The pending changes of a page without an overlay, in order.
    private func pendingEntries(for identity: PageIdentity) -> [Entry] {
        let many = selective.filter { $0.selection.contains(identity) }
        guard let own = single[identity], !own.isEmpty else { return many }
        return (many + own).sorted { $0.sequence < $1.sequence }
    }

    private mutating func noteUse(_ identity: PageIdentity) {
        if isOff { return }
        useSequence += 1
        uses[identity] = ((uses[identity]?.times ?? 0) + 1, useSequence)
        // Reads alone cause no write, but the uses to be written must be bounded. While the file fails, the pause decides
        // when it is tried again, and the later uses count.
        guard uses.count >= Self.mostUses else { return }
        if trouble.isPausing {
            uses = [:]
        } else if !wantsCommit {
            wantsCommit = true
            advance()
        }
    }

    private static var mostUses: Int { 4_096 }
}
