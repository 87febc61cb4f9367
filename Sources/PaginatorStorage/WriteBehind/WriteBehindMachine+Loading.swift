package import PaginatorCore

extension WriteBehindMachine {
    /// Takes a load.
    package mutating func load(_ identity: PageIdentity, for waiter: Waiter) -> [Action] {
        if case .off = phase { return [.answer(waiter, .absent)] }
        var actions = start()
        load(identity, for: waiter, asOf: sequence, &actions)
        return actions
    }

    mutating func load(_ identity: PageIdentity, for waiter: Waiter, asOf: UInt64, _ actions: inout [Action]) {
        if let overlay = overlays[identity] {
            guard let page = overlay.page else { return actions.append(.answer(waiter, .absent)) }
            noteUse(identity, &actions)
            let edits = overlay.edits.filter { $0.sequence <= asOf }.map(\.edit)
            return actions.append(.answer(waiter, .page(page, edits: edits, isInvalidated: overlay.isInvalidated)))
        }
        if let flight, flight.stage.bars, flight.edits.contains(where: { $0.contains(identity) }) {
            return parked.append((identity, waiter, asOf))
        }
        var read = Read(identity: identity, waiter: waiter, asOf: asOf)
        for entry in pendingEntries(for: identity) where entry.sequence <= asOf {
            switch entry.change {
            case .save: break
            case .remove: return actions.append(.answer(waiter, .absent))
            case .invalidate: read.isInvalidated = true
            case .edit(_, let edit): read.edits.append(edit)
            }
        }
        nextRead += 1
        reads[nextRead] = read
        queuedReads.append(nextRead)
        startReads(&actions)
    }

    /// Takes the end of ``Action/read(_:_:)``.
    package mutating func readFinished(_ token: Int, _ result: ReadResult) -> [Action] {
        guard let read = reads.removeValue(forKey: token) else { return [] }
        runningReads -= 1
        var actions: [Action] = []
        switch result {
        case .absent: actions.append(.answer(read.waiter, .absent))
        case .page(let page):
            noteUse(read.identity, &actions)
            actions.append(
                .answer(read.waiter, .page(page, edits: read.edits, isInvalidated: read.isInvalidated)))
        case .damaged(let error):
            if !read.isOvertaken, overlays[read.identity] == nil {
                append(.remove(.identity(read.identity)))
                lingerOrCommit(&actions)
            }
            actions.append(.answer(read.waiter, .failed(error)))
        case .failed(let error):
            if error.storeKind == .newer || error.storeKind == .foreign {
                turnOff(error, &actions)
            }
            actions.append(.answer(read.waiter, .failed(error)))
        }
        startReads(&actions)
        advance(&actions)
        return actions
    }

    mutating func startReads(_ actions: inout [Action]) {
        while runningReads < config.maxParallelReads, !queuedReads.isEmpty {
            let token = queuedReads.removeFirst()
            guard let read = reads[token] else { continue }
            reads[token]?.isStarted = true
            if let flight, flight.stage == .committing { reads[token]?.isOvertaken = flight.saves(read.identity) }
            runningReads += 1
            actions.append(.read(token, read.identity))
        }
    }

    mutating func resumeParked(_ actions: inout [Action]) {
        let resumed = parked
        parked = []
        for load in resumed { self.load(load.identity, for: load.waiter, asOf: load.asOf, &actions) }
    }

    /// The pending changes of a page without overlay, in order.
    private func pendingEntries(for identity: PageIdentity) -> [Entry] {
        let many = selective.filter { $0.selection?.contains(identity) ?? false }
        guard let own = single[identity], !own.isEmpty else { return many }
        return (many + own).sorted { $0.sequence < $1.sequence }
    }

    private mutating func noteUse(_ identity: PageIdentity, _ actions: inout [Action]) {
        useSequence += 1
        uses[identity] = ((uses[identity]?.times ?? 0) + 1, useSequence)
        // Reads alone cause no write, but what they leave to be written stays bounded.
        guard uses.count >= 4_096, !wantsCommit else { return }
        wantsCommit = true
        advance(&actions)
    }
}

extension WriteBehindMachine.Stage {
    /// Whether the pages that the batch edits must not be read: the file has, or may soon have, what loads add to them.
    var bars: Bool { self == .prepared || self == .committing }
}

extension WriteBehindMachine.Entry {
    var isSave: Bool {
        if case .save = change { true } else { false }
    }

    var selection: PageSelection? {
        switch change {
        case .save(let identity, _, _): .identity(identity)
        case .remove(let selection), .invalidate(let selection), .edit(let selection, _): selection
        }
    }
}
