import PaginatorCore

extension WriteBehindMachine {
    mutating func prepared(_ result: Result<Set<PageIdentity>?, PaginatorError>) {
        guard case .preparing(var commit) = writing else { return }
        writing = .idle
        if isOff { return }
        switch result {
        case .success(let edited):
            commit.edited = edited
            writing = .prepared(commit)
        case .failure(let error): failed(commit, error)
        }
        advance()
    }

    mutating func committed(_ result: Result<[PaginatorError], PaginatorError>) {
        guard case .committing(let commit) = writing else { return }
        writing = .idle
        switch result {
        case .success(let reports):
            for report in reports { act(.report(report)) }
            if !isOff { succeeded(commit) }
        case .failure(let error):
            if !isOff { failed(commit, error) }
        }
        advance()
    }

    private mutating func failed(_ ended: Commit, _ error: PaginatorError) {
        // First, because the waiting changes decide what is reported or retried below.
        restore(ended)
        if error.storeKind == .replaced { file = .unknown }
        failed(error)
        admitBarredLoads()
    }

    mutating func lingerOrCommit() {
        let isBatchFull = log.count >= config.maxBatchChanges || pendingBytes >= config.maxBatchBytes
        // While the file fails, only the end of the pause, or a flush, starts the next attempt.
        if isBatchFull || isFull(times: 1), !trouble.isPausing { wantsCommit = true }
        if wantsCommit {
            advance()
        } else if nextDeadline == nil, !log.isEmpty {
            wake(after: config.linger)
        }
    }

    /// Starts a commit if one is wanted and possible.
    mutating func advance() {
        // Without the file's facts the pages to evict are unknown.
        if case .unknown = file, wantsCommit, !writing.isRunning {
            file = .recovering
            act(.recover)
        }
        guard case .known = file else { return }
        if case .idle = writing, wantsCommit { stage() }
        switch writing {
        case .staged(let commit) where !commit.edits.isEmpty:
            writing = .preparing(commit)
            act(.prepare(commit.batch))
        case .staged(let commit), .prepared(let commit):
            // The result of a running read may have this edit or not, and the load could not tell.
            guard !reads.values.contains(where: { commit.waits(for: $0.load) }),
                !queuedLoads.elements.contains(where: { commit.waits(for: $0) })
            else { return }
            writing = .committing(commit)
            // The file may return the former page or this one, so they are read again.
            for (token, read) in reads where commit.saves(read.load.identity) { reads[token]?.isOvertaken = true }
            act(.commit(commit.batch))
        case .idle, .preparing, .committing: break
        }
    }

    /// Takes the oldest changes as a batch.
    private mutating func stage() {
        var count = 0
        var bytes = 0
        // At least one change, because one over the limit would never fit.
        while count < log.count, count < config.maxBatchChanges, count == 0 || bytes < config.maxBatchBytes {
            bytes += log[count].cost
            count += 1
        }
        let entries = Array(log[..<count])
        log.removeFirst(count)
        // Without changes it covers everything before the waiting ones, so that a flush of uses alone is answered.
        let last = entries.last?.sequence ?? log.first.map { $0.sequence - 1 } ?? sequence
        var batch = Batch()
        batch.changes = Self.effective(entries)
        batch.uses = uses.sorted { $0.value.sequence < $1.value.sequence }
            .map { ($0.key, $0.value.times, $0.value.sequence) }
        uses = [:]
        batch.isDurable = flushWaiters.contains { $0.sequence <= last }
        var edits: [PageSelection] = []
        var lastEdit: UInt64 = 0
        for entry in entries {
            guard case .edit(let selection, _) = entry.change else { continue }
            edits.append(selection)
            lastEdit = entry.sequence
        }
        writing = .staged(Commit(entries: entries, batch: batch, last: last, edits: edits, lastEdit: lastEdit))
        // Changes that did not fit wait no longer than those that did.
        let wanted = flushWaiters.reduce(dueSequence) { max($0, $1.sequence) }
        let isLeftOver = log.first.map { $0.sequence <= wanted } ?? false
        wantsCommit = isLeftOver || log.count >= config.maxBatchChanges || (isClosing && !log.isEmpty)
    }

    /// Returns the changes without saves that later changes replace.
    private static func effective(_ entries: [Entry]) -> [StoreChange<T>] {
        var changes: [StoreChange<T>?] = []
        var saved: [PageIdentity: Int] = [:]
        for entry in entries {
            switch entry.change {
            case .save(let identity, _):
                if let void = saved[identity] { changes[void] = nil }
                saved[identity] = changes.count
            case .remove(.identity(let identity)):
                if let void = saved[identity] { changes[void] = nil }
            case .remove(let selection):
                for (identity, void) in saved where selection.contains(identity) { changes[void] = nil }
            // These need the page of an earlier save.
            case .invalidate, .invalidateTags, .edit: break
            }
            changes.append(entry.change)
        }
        return changes.compactMap { $0 }
    }

    private mutating func succeeded(_ ended: Commit) {
        // The pause after a failure also ends: further changes are written as usual.
        if trouble.isPausing { nextDeadline = nil }
        trouble = Trouble()
        for entry in ended.entries { pendingBytes -= entry.cost }
        forget(upTo: ended.last, ended.entries)
        isDirty = !ended.batch.isDurable
        if ended.batch.isDurable {
            for flushed in flushWaiters where flushed.sequence <= ended.last { act(.flushed(flushed.waiter, nil)) }
            flushWaiters.removeAll { $0.sequence <= ended.last }
        }
        if !isFull(times: 1) {
            for waiting in acceptWaiters { act(.accept(waiting.waiter, waiting.error)) }
            acceptWaiters = []
        }
        admitBarredLoads()
        if !flushWaiters.isEmpty || isFull(times: 1) || (isClosing && !log.isEmpty) { wantsCommit = true }
        lingerOrCommit()
    }

    /// Removes committed changes from the overlays.
    private mutating func forget(upTo last: UInt64, _ entries: [Entry]) {
        for entry in entries {
            switch entry.change {
            case .save(let identity, _), .remove(.identity(let identity)):
                if let overlay = overlays[identity], overlay.sequence <= last { drop(identity, overlay, last) }
            case .remove(let selection):
                for (identity, overlay) in overlays where overlay.sequence <= last && selection.contains(identity) {
                    drop(identity, overlay, last)
                }
            case .invalidate(.identity(let identity)), .edit(.identity(let identity), _):
                // The batch may have contained only the first ones.
                single[identity]?.removeAll { $0.sequence <= last }
                if single[identity]?.isEmpty == true { single[identity] = nil }
            case .invalidate, .invalidateTags, .edit: break
            }
        }
        selective.removeAll { $0.sequence <= last }
        overlays.shrinkIfEmpty()
        single.shrinkIfEmpty()
    }

    /// Removes an overlay whose page is now in the file, but keeps the page's later changes, which still wait.
    private mutating func drop(_ identity: PageIdentity, _ overlay: Overlay, _ last: UInt64) {
        overlays[identity] = nil
        guard overlay.invalidated != nil || !overlay.edits.isEmpty else { return }
        let later = log.filter { entry in
            switch entry.change {
            case .invalidate(.identity(let named)), .edit(.identity(let named), _): named == identity
            default: false
            }
        }
        if !later.isEmpty { single[identity] = later }
    }

    /// Puts the changes of a failed commit back before the others.
    mutating func restore(_ ended: Commit) {
        log.insert(contentsOf: ended.entries, at: 0)
        for use in ended.batch.uses {
            let later = uses[use.identity]
            uses[use.identity] = ((later?.times ?? 0) + use.times, later?.sequence ?? use.sequence)
        }
    }

    mutating func failed(_ error: PaginatorError) {
        let kind = error.storeKind
        // No attempt can succeed.
        if kind == .newer || kind == .foreign { return turnOff(error) }
        // The new file gets the changes that the old one refused. If every new file is damaged, the disk is, so this is
        // limited.
        if kind == .replaced, trouble.replacements < 3 {
            trouble.replacements += 1
            wantsCommit = true
            return reportReplacement(error)
        }
        wantsCommit = false
        if kind == .busy, trouble.busyAttempts + 1 < config.maxBusyAttempts {
            trouble.busyAttempts += 1
            let pauses = Backoff(base: config.busyPause, cap: WriteBehindConfig.maxBusyPause)
            return wake(after: pauses.ceiling(failures: trouble.busyAttempts))
        }
        // Nobody is left who would notice how long it lasts.
        if isClosing { return turnOff(error) }
        trouble.failures += 1
        if trouble.lastCause != kind {
            trouble.lastCause = kind
            act(.report(error))
        }
        for waiting in flushWaiters { act(.flushed(waiting.waiter, error)) }
        flushWaiters = []
        if isFull(times: 1) { shed() }
        let pauses = Backoff(base: config.retryPause, cap: config.maxRetryPause)
        wake(after: pauses.ceiling(failures: trouble.failures))
    }

    /// Turns the store off.
    mutating func turnOff(_ error: PaginatorError) {
        if isOff { return }
        file = .off(error)
        act(.report(error))
        for waiting in flushWaiters { act(.flushed(waiting.waiter, error)) }
        for waiting in acceptWaiters { act(.accept(waiting.waiter, error)) }
        endWaitingLoads()
        flushWaiters = []
        acceptWaiters = []
        (log, overlays, selective, single, uses) = ([], [:], [], [:], [:])
        (pendingBytes, wantsCommit, nextDeadline) = (0, false, nil)
        // A running job still answers, and finds the store off.
        if !writing.isRunning { writing = .idle }
    }
}
