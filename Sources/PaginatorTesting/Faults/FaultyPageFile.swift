import Dispatch
public import PaginatorCore

/// A page file whose calls suffer what a ``FaultPlan`` says; see `PageFile.faulty(_:clock:)`.
///
/// Its calls block, so faults take this form: a latency blocks the calling thread until the clock has moved so far,
/// which another thread must do; with a ``SimulatedExecutor`` put latency on the store instead. A hang blocks until
/// ``release()``, and then fails. A loss is a disk that lies: a commit succeeds and does nothing, a read finds nothing. A
/// duplicate makes the call twice. Nothing overtakes a blocking call. Errors that are no
/// ``/PaginatorCore/PaginatorError`` or ``/PaginatorCore/StoreFailure`` count as
/// ``/PaginatorCore/StoreFailure/Kind/unavailable``.
public final class FaultyPageFile: PageFile {
    private let file: any PageFile
    private let plan: FaultPlan
    private let clock: any PaginatorClock
    private let isReleased = Handshake(false)

    init(_ file: any PageFile, _ plan: FaultPlan, _ clock: any PaginatorClock) {
        self.file = file
        self.plan = plan
        self.clock = clock
    }

    /// Lets every hang end in a failure, those to come as well, so that a test leaves no thread behind.
    public func release() {
        isReleased.update { $0 = true }
    }

    /// Reads from the real file, or does not, as the plan says.
    public func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        try call(.read, identity, lost: nil) { () throws(PaginatorError) in try file.read(identity) }
    }

    /// Makes the changes in the real file, or does not, as the plan says.
    public func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try call(.commit, nil, lost: ()) { () throws(PaginatorError) in
            try file.commit(changes, durably: durably)
        }
    }

    /// Asks the real file, or does not, as the plan says.
    public func recover() throws(PaginatorError) -> [RecordFacts] {
        try call(.recover, nil, lost: []) { () throws(PaginatorError) in try file.recover() }
    }

    private func call<R>(
        _ operation: FaultOperation, _ identity: PageIdentity?, lost: R,
        _ body: () throws(PaginatorError) -> R
    ) throws(PaginatorError) -> R {
        let fault = plan.fault(for: operation, identity)
        if fault.delay > .zero { block(for: fault.delay) }
        switch fault.outcome {
        case .answer: break
        case .loss: return lost
        case .failure(let error): throw PaginatorError(injected: error)
        case .failureAfterwards(let error):
            _ = try body()
            throw PaginatorError(injected: error)
        case .hang:
            _ = try body()
            isReleased.block { $0 }
            throw PaginatorError(injected: InjectedFailure())
        }
        if fault.isDuplicated { _ = try body() }
        return try body()
    }

    private func block(for delay: Duration) {
        let semaphore = DispatchSemaphore(value: 0)
        let timer = clock.makeTimer { semaphore.signal() }
        timer.arm(at: clock.now.advanced(by: delay))
        semaphore.wait()
        withExtendedLifetime(timer) {}
    }
}

extension PageFile {
    /// Wraps the file in faults.
    ///
    /// - Parameters:
    ///   - plan: what goes wrong with each call.
    ///   - clock: what delays are measured by.
    public func faulty(_ plan: FaultPlan, clock: any PaginatorClock) -> FaultyPageFile {
        FaultyPageFile(self, plan, clock)
    }
}
