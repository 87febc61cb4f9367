package import PaginatorCore

extension WriteBehindMachine {
    /// Takes the end of the time that ``Action/arm(_:)`` asked for.
    package mutating func timerFired() -> [Action] {
        guard isTimerArmed else { return [] }
        isTimerArmed = false
        if case .off = phase { return [] }
        var actions = start()
        wantsCommit = true
        advance(&actions)
        return actions
    }

    /// Takes the end of ``Action/prepare(_:)``.
    package mutating func prepared(_ error: PaginatorError?) -> [Action] {
        guard flight?.stage == .preparing else { return [] }
        if case .off = phase {
            flight = nil
            return []
        }
        if let error {
            flight?.stage = .committing
            return commitFinished(error)
        }
        flight?.stage = .prepared
        var actions: [Action] = []
        advance(&actions)
        return actions
    }

    /// Takes the end of ``Action/commit(_:)``.
    package mutating func commitFinished(_ error: PaginatorError?) -> [Action] {
        guard let ended = flight, ended.stage == .committing else { return [] }
        var actions: [Action] = []
        flight = nil
        if case .off = phase { return [] }
        if let error {
            restore(ended)
            if error.storeKind == .replaced { phase = .new }
            failed(error, &actions)
            resumeParked(&actions)
        } else {
            succeeded(ended, &actions)
        }
        advance(&actions)
        return actions
    }

    mutating func lingerOrCommit(_ actions: inout [Action]) {
        let isBatchFull = log.count >= config.maxBatchChanges || pendingBytes >= config.maxBatchBytes
        // While the file fails, only the retry's timer and flushes bring the next attempt.
        if isBatchFull || isFull(times: 1), failures == 0, busyAttempts == 0 { wantsCommit = true }
        if wantsCommit {
            advance(&actions)
        } else if !isTimerArmed, !log.isEmpty {
            arm(config.linger, &actions)
        }
    }

    /// Starts a commit when one is wanted and possible.
    mutating func advance(_ actions: inout [Action]) {
        if case .new = phase, wantsCommit, flight?.isStarted != true {
            phase = .recovering
            actions.append(.recover)
        }
        guard case .ready = phase else { return }
        if flight == nil, wantsCommit { stage() }
        guard let flight, !flight.isStarted else { return }
        if flight.stage == .staged, !flight.edits.isEmpty {
            self.flight?.stage = .preparing
            return actions.append(.prepare(flight.batch))
        }
        let isRead = reads.values.contains { read in flight.edits.contains { $0.contains(read.identity) } }
        guard !isRead else { return }
        self.flight?.stage = .committing
        for (token, read) in reads where flight.saves(read.identity) { reads[token]?.isOvertaken = true }
        actions.append(.commit(flight.batch))
    }

    /// Takes the oldest changes together.
    private mutating func stage() {
        var count = 0
        var bytes = 0
        while count < log.count, count < config.maxBatchChanges, count == 0 || bytes < config.maxBatchBytes {
            bytes += log[count].cost
            count += 1
        }
        let entries = Array(log[..<count])
        log.removeFirst(count)
        let last = entries.last?.sequence ?? log.first.map { $0.sequence - 1 } ?? sequence
        var batch = Batch()
        batch.changes = Self.effective(entries)
        batch.uses = uses.sorted { $0.value.sequence < $1.value.sequence }.map { ($0.key, $0.value.times) }
        uses = [:]
        batch.isDurable = flushWaiters.contains { $0.sequence <= last }
        let edits = entries.compactMap { entry -> PageSelection? in
            if case .edit(let selection, _) = entry.change { selection } else { nil }
        }
        flight = Flight(entries: entries, batch: batch, last: last, stage: .staged, edits: edits)
        let isFlushed = log.first.map { next in flushWaiters.allSatisfy { $0.sequence < next.sequence } } ?? true
        wantsCommit = !isFlushed || log.count >= config.maxBatchChanges || (isClosing && !log.isEmpty)
    }

    /// The changes without the saves that later ones make void.
    private static func effective(_ entries: [Entry]) -> [Change] {
        var changes: [Change?] = []
        var saved: [PageIdentity: Int] = [:]
        for entry in entries {
            switch entry.change {
            case .save(let identity, _, _):
                if let void = saved[identity] { changes[void] = nil }
                saved[identity] = changes.count
            case .remove(.identity(let identity)):
                if let void = saved.removeValue(forKey: identity) { changes[void] = nil }
            case .remove(let selection):
                for (identity, void) in saved where selection.contains(identity) {
                    changes[void] = nil
                    saved[identity] = nil
                }
            case .invalidate, .edit: break
            }
            changes.append(entry.change)
        }
        return changes.compactMap { $0 }
    }

    private mutating func succeeded(_ ended: Flight, _ actions: inout [Action]) {
        // The pause after a failure is over too: what comes next is written as soon as ever.
        if failures > 0 || busyAttempts > 0 { isTimerArmed = false }
        failures = 0
        busyAttempts = 0
        replacements = 0
        lastCause = nil
        pendingCount -= ended.entries.count
        for entry in ended.entries { pendingBytes -= entry.cost }
        forget(upTo: ended.last, ended.entries)
        isDirty = !ended.batch.isDurable
        if ended.batch.isDurable {
            for flushed in flushWaiters where flushed.sequence <= ended.last {
                actions.append(.flushed(flushed.waiter, nil))
            }
            flushWaiters.removeAll { $0.sequence <= ended.last }
        }
        if !isFull(times: 1) {
            for waiting in acceptWaiters { actions.append(.accept(waiting.waiter, waiting.error)) }
            acceptWaiters = []
        }
        resumeParked(&actions)
        if !flushWaiters.isEmpty || isFull(times: 1) { wantsCommit = true }
        if isClosing, !log.isEmpty { wantsCommit = true }
        lingerOrCommit(&actions)
    }

    /// Takes committed changes away from what lies over the file.
    private mutating func forget(upTo last: UInt64, _ entries: [Entry]) {
        for entry in entries {
            switch entry.change {
            case .save(let identity, _, _), .remove(.identity(let identity)):
                if let overlay = overlays[identity], overlay.sequence <= last { drop(identity, overlay, last) }
            case .remove(let selection):
                for (identity, overlay) in overlays where overlay.sequence <= last && selection.contains(identity) {
                    drop(identity, overlay, last)
                }
            case .invalidate(.identity(let identity)), .edit(.identity(let identity), _):
                single[identity]?.removeAll { $0.sequence <= last }
                if single[identity]?.isEmpty == true { single[identity] = nil }
            case .invalidate, .edit: break
            }
        }
        selective.removeAll { $0.sequence <= last }
    }

    /// Removes an overlay whose page is in the file now, but keeps the later changes of this page alone: they wait.
    private mutating func drop(_ identity: PageIdentity, _ overlay: Overlay, _ last: UInt64) {
        overlays[identity] = nil
        guard overlay.isInvalidated || !overlay.edits.isEmpty else { return }
        let later = log.filter { entry in
            switch entry.change {
            case .invalidate(.identity(let named)), .edit(.identity(let named), _): named == identity
            default: false
            }
        }
        if !later.isEmpty { single[identity] = later }
    }

    /// Puts the changes of a failed commit back in front of the others.
    mutating func restore(_ ended: Flight) {
        log.insert(contentsOf: ended.entries, at: 0)
        for use in ended.batch.uses {
            let later = uses[use.identity]
            uses[use.identity] = ((later?.times ?? 0) + use.times, later?.sequence ?? 0)
        }
    }

    mutating func failed(_ error: PaginatorError, _ actions: inout [Action]) {
        let kind = error.storeKind
        if kind == .newer || kind == .foreign { return turnOff(error, &actions) }
        if isClosing { return turnOff(error, &actions) }
        if kind == .replaced, replacements < 3 {
            replacements += 1
            wantsCommit = true
            actions.append(.report(error))
            return
        }
        if kind == .busy, busyAttempts + 1 < config.maxBusyAttempts {
            busyAttempts += 1
            wantsCommit = false
            arm(min(.seconds(1), config.busyPause * (1 << min(busyAttempts - 1, 16))), &actions)
            return
        }
        failures += 1
        wantsCommit = false
        if lastCause != kind {
            lastCause = kind
            actions.append(.report(error))
        }
        for waiting in flushWaiters { actions.append(.flushed(waiting.waiter, error)) }
        flushWaiters = []
        if isFull(times: 1) { shed(&actions) }
        arm(min(config.maxRetryPause, config.retryPause * (1 << min(failures - 1, 16))), &actions)
    }

    /// Gives everything up.
    mutating func turnOff(_ error: PaginatorError, _ actions: inout [Action]) {
        phase = .off(error)
        actions.append(.report(error))
        for waiting in flushWaiters { actions.append(.flushed(waiting.waiter, error)) }
        for waiting in acceptWaiters { actions.append(.accept(waiting.waiter, error)) }
        for waiting in parked { actions.append(.answer(waiting.waiter, .absent)) }
        flushWaiters = []
        acceptWaiters = []
        parked = []
        for token in queuedReads {
            if let read = reads.removeValue(forKey: token) { actions.append(.answer(read.waiter, .absent)) }
        }
        queuedReads = []
        (log, overlays, selective, single, uses) = ([], [:], [], [:], [:])
        (pendingCount, pendingBytes) = (0, 0)
        if flight?.isStarted != true { flight = nil }
    }
}

extension WriteBehindMachine {
    /// Takes that a read found the file damaged, and a new one in its place: its facts are to be learned anew.
    ///
    /// - Parameter error: what the first who notices reports.
    package mutating func fileWasReplaced(_ error: PaginatorError) -> [Action] {
        guard case .ready = phase else { return [] }
        // A running commit finds the new file too, or fails and is made again.
        phase = .new
        wantsCommit = true
        var actions: [Action] = [.report(error)]
        advance(&actions)
        return actions
    }
}
