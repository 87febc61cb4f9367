import PaginatorCore

extension WriteBehindMachine {
    func invariantViolations() -> [String] {
        var found: [String] = []
        func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
            if !holds { found.append(sentence()) }
        }
        expect(reads.count <= config.maxParallelReads, "\(reads.count) reads run at once")
        expect(queuedLoads.isEmpty || reads.count == config.maxParallelReads, "a load waits for no reason")
        if case .off = file {
            expect(
                log.isEmpty && overlays.isEmpty && selective.isEmpty && single.isEmpty,
                "a store that is off has changes")
            expect(
                flushWaiters.isEmpty && acceptWaiters.isEmpty && queuedLoads.isEmpty && loadsBlockedByEdit.isEmpty,
                "a store that is off has waiters")
            expect(pendingBytes == 0, "a store that is off counts changes")
            return found
        }
        let pending = (writing.commit?.entries ?? []) + log
        let sequences = pending.map(\.sequence)
        expect(pendingBytes == pending.reduce(0) { $0 + $1.cost }, "the pending bytes are counted wrongly")
        expect(zip(sequences, sequences.dropFirst()).allSatisfy(<), "changes are not in their order")
        expect((sequences.last ?? 0) <= sequence, "a change comes from the future")
        let known = Set(sequences)
        expect(
            overlays.values.allSatisfy { known.contains($0.sequence) }, "a page is shown that is not pending any more")
        expect(selective.allSatisfy { known.contains($0.sequence) }, "a change of many pages outlives its commit")
        expect(
            single.values.allSatisfy { $0.allSatisfy { known.contains($0.sequence) } }, "a change outlives its commit")
        expect(single.keys.allSatisfy { overlays[$0] == nil }, "a page has changes over and under its newest form")
        if case .committing(let commit) = writing {
            expect(
                !reads.values.contains { commit.edits($0.load.identity) },
                "a page is read while an edit of it is committed")
        }
        expect(loadsBlockedByEdit.allSatisfy { writing.bars($0.identity) }, "a load waits for no commit")
        // Every waiter waits for the file, a commit or a deadline.
        var isUnderWay = wantsCommit || nextDeadline != nil || writing.commit != nil
        if case .recovering = file { isUnderWay = true }
        expect(isUnderWay || log.isEmpty, "what is pending is never written")
        expect(isUnderWay || flushWaiters.isEmpty, "a flush is never answered")
        expect(isUnderWay || acceptWaiters.isEmpty, "a change is never accepted")
        return found
    }
}
