import PaginatorCore

extension WriteBehindMachine {
    mutating func load(_ identity: PageIdentity, for waiter: Waiter) {
        if isOff { return act(.answer(waiter, .absent)) }
        start()
        load(identity, for: waiter, asOf: sequence)
    }

    private mutating func load(_ identity: PageIdentity, for waiter: Waiter, asOf: UInt64) {
        if let overlay = overlays[identity] {
            guard let page = overlay.page else { return act(.answer(waiter, .absent)) }
            noteUse(identity)
            let edits = overlay.edits.filter { $0.sequence <= asOf }.map(\.edit)
            return act(.answer(waiter, .page(page, edits: edits, isInvalidated: overlay.isInvalidated)))
        }
        if writing.bars(identity) { return barredLoads.append((identity, waiter, asOf)) }
        var read = Read(identity: identity, waiter: waiter, asOf: asOf)
        for entry in pendingEntries(for: identity) where entry.sequence <= asOf {
            switch entry.change {
            case .save: break
            case .remove: return act(.answer(waiter, .absent))
            case .invalidate: read.isInvalidated = true
            case .edit(_, let edit): read.edits.append(edit)
            }
        }
        nextRead += 1
        reads[nextRead] = read
        queuedReads.append(nextRead)
        startReads()
    }

    mutating func readFinished(_ token: Int, _ result: ReadResult) {
        guard let read = reads[token], case .running(let isOvertaken) = read.progress else { return }
        reads[token] = nil
        runningReads -= 1
        switch result {
        case .absent: act(.answer(read.waiter, .absent))
        case .page(let page):
            noteUse(read.identity)
            act(.answer(read.waiter, .page(page, edits: read.edits, isInvalidated: read.isInvalidated)))
        case .damaged(let error):
            if !isOvertaken, overlays[read.identity] == nil, !isOff {
                append(.remove(.identity(read.identity)))
                lingerOrCommit()
            }
            act(.answer(read.waiter, .failed(error)))
        case .failed(let error):
            if error.storeKind == .newer || error.storeKind == .foreign { turnOff(error) }
            act(.answer(read.waiter, .failed(error)))
        }
        startReads()
        advance()
    }

    private mutating func startReads() {
        while runningReads < config.maxParallelReads, !queuedReads.isEmpty {
            let token = queuedReads.removeFirst()
            guard let read = reads[token] else { continue }
            // A commit that runs already may write the page before it is read.
            let isOvertaken = if case .committing(let commit) = writing { commit.saves(read.identity) } else { false }
            reads[token]?.progress = .running(isOvertaken: isOvertaken)
            runningReads += 1
            act(.read(token, read.identity))
        }
    }

    /// Goes on with loads that a commit kept waiting.
    mutating func admitBarredLoads() {
        let loads = barredLoads
        barredLoads = []
        for barred in loads { load(barred.identity, for: barred.waiter, asOf: barred.asOf) }
    }

    /// The pending changes of a page without overlay, in order.
    private func pendingEntries(for identity: PageIdentity) -> [Entry] {
        let many = selective.filter { $0.selection.contains(identity) }
        guard let own = single[identity], !own.isEmpty else { return many }
        return (many + own).sorted { $0.sequence < $1.sequence }
    }

    private mutating func noteUse(_ identity: PageIdentity) {
        if isOff { return }
        useSequence += 1
        uses[identity] = ((uses[identity]?.times ?? 0) + 1, useSequence)
        // Reads alone cause no write, but what they leave to be written stays bounded.
        guard uses.count >= 4_096, !wantsCommit else { return }
        wantsCommit = true
        advance()
    }
}
