import Synchronization

/// A page that is lent to a reader without a count of references, which threads that read the same page would fight for.
///
/// The cache keeps the page for the reader's sake: what takes a page out of the table looks for its loans first, and
/// leaves a reference with each; see ``ReaderStripes/keep(_:)``. Give it back once, when nobody looks at the page any more.
package struct PageLoan {
    /// One bit more for a loan that has a reference of its own.
    fileprivate static let isOwned: UInt = 1

    /// The page.
    package let page: Unmanaged<any AnyObject & Sendable>
    /// How many committed edits the page contains; see ``EditLog``.
    package let editMark: UInt64
    private let place: UnsafeMutablePointer<Atomic<UInt>>

    /// Notes a loan; `nil` when there is no room for it. The caller holds the stripe's lock.
    @inline(__always)
    init?(_ page: Unmanaged<any AnyObject & Sendable>, editMark: UInt64, in stripe: ReaderStripes.Stripe) {
        guard let place = stripe.lend(page) else { return nil }
        self.page = page
        self.place = place
        self.editMark = editMark
    }

    /// Ends the loan; the page may be released with it, so no lock is held.
    @inline(__always)
    package func giveBack() {
        if place.pointee.exchange(0, ordering: .acquiringAndReleasing) & Self.isOwned != 0 { page.release() }
    }
}

extension ReaderStripes {
    /// Leaves a reference with everybody whom the page is lent to. The caller holds all locks, so nobody borrows it now;
    /// who gives it back at this moment has either seen the reference or leaves it here.
    func keep(_ page: Unmanaged<any AnyObject & Sendable>) {
        let address = UInt(bitPattern: page.toOpaque())
        for index in 0..<count {
            let loans = stripe(at: index).loans
            for place in 0..<Stripe.loanCapacity where loans[place].load(ordering: .acquiring) == address {
                _ = page.retain()
                let isKept = loans[place].compareExchange(
                    expected: address, desired: address | PageLoan.isOwned, ordering: .acquiringAndReleasing)
                // Never the last one: the caller still has the page.
                if !isKept.exchanged { page.release() }
            }
        }
    }
}

extension ReaderStripes.Stripe {
    /// How many pages a stripe lends at once: one for each thread at work, and some for reads within reads.
    static let loanCapacity = 4

    /// Pages lent, by address; zero is free. Behind the lock, and before the number of notes, on the stripe's first line.
    @inline(__always)
    fileprivate var loans: UnsafeMutablePointer<Atomic<UInt>> {
        (memory + ReaderStripes.lineBytes / 2).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    func initializeLoans(in memory: UnsafeMutableRawPointer) {
        let loans = memory.bindMemory(to: Atomic<UInt>.self, capacity: Self.loanCapacity)
        for place in 0..<Self.loanCapacity { (loans + place).initialize(to: Atomic(0)) }
    }

    @inline(__always)
    fileprivate func lend(_ page: Unmanaged<any AnyObject & Sendable>) -> UnsafeMutablePointer<Atomic<UInt>>? {
        let address = UInt(bitPattern: page.toOpaque())
        // An object of the system may be no address at all but a value with that bit.
        guard address & PageLoan.isOwned == 0 else { return nil }
        for place in 0..<Self.loanCapacity where loans[place].load(ordering: .acquiring) == 0 {
            loans[place].store(address, ordering: .relaxed)
            return loans + place
        }
        return nil
    }
}
