extension FetchEngine {
    /// Lends a page from memory that nobody needs to look at first, and counts it as a use.
    func borrowNow(_ identity: PageIdentity) -> PageLoan? {
        guard !judgesPages, let loan = memory.borrowFresh(identity, by: clock) else { return nil }
        guard edits.isCurrent(loan.editMark) else {
            loan.giveBack()
            return nil
        }
        return loan
    }
}
