public import PaginatorCore

/// What a ``ScriptedValidator`` says of one page: a verdict, and when.
public struct VerdictStep: Sendable {
    var verdict: PageVerdict?
    var delay: Duration?

    /// Gives a verdict.
    public static func verdict(_ verdict: PageVerdict) -> VerdictStep { VerdictStep(verdict: verdict) }

    /// Gives no verdict of a fetched page; a cached page is accepted.
    public static let hang = VerdictStep()

    /// The same step, some time later for a fetched page; a cached page is judged at once.
    public func after(_ delay: Duration) -> VerdictStep {
        VerdictStep(verdict: verdict, delay: max(.zero, delay))
    }
}

/// A validator that says of each page what the test tells it, and records what it was asked.
///
/// A judgement takes the next step scripted for the page's key, else the next step for any key, else what it was made
/// with. All calls may come from any thread.
public final class ScriptedValidator<T: Sendable>: PageValidator {
    private struct State: Sendable {
        /// By the key's bytes, hence an identity.
        var byKey: [PageIdentity: [VerdictStep]] = [:]
        var inOrder: [VerdictStep] = []
        var judgements: [Judgement<T>] = []
        var timers: [Int: any PaginatorTimer] = [:]
    }

    private let handshake = Handshake(State())
    private let otherwise: PageVerdict
    private let clock: any PaginatorClock

    /// Makes a validator.
    ///
    /// - Parameters:
    ///   - otherwise: the verdict where nothing is scripted; accepting, by default.
    ///   - clock: what delays are measured by; pass the test's manual clock.
    public init(otherwise: PageVerdict = .accept, clock: any PaginatorClock = SystemPaginatorClock()) {
        self.otherwise = otherwise
        self.clock = clock
    }

    /// Adds steps for judgements of any page, taken in order.
    public func script(_ steps: [VerdictStep]) {
        handshake.update { $0.inOrder += steps }
    }

    /// Adds steps for the pages of one key, taken before those for any key.
    public func script(_ steps: [VerdictStep], forKey key: String) {
        handshake.update { $0.byKey[PageIdentity(key: key, pageSize: 0), default: []] += steps }
    }

    /// Every judgement so far, in the order in which they were asked for.
    public var judgements: [Judgement<T>] { handshake.read(\.judgements) }

    /// Takes the next step, whose delay does not count.
    public func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict {
        takeStep(page, context, isFetched: false).step.verdict ?? .accept
    }

    /// Takes the next step and answers on the calling thread, or on the clock's when it has a delay.
    public func judgeFetched(
        _ page: PaginatorPage<T>, in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        let (step, id) = takeStep(page, context, isFetched: true)
        guard let verdict = step.verdict else { return }
        guard let delay = step.delay else { return completion(verdict) }
        let timer = clock.makeTimer { [weak self] in
            let timer = self?.handshake.update { $0.timers.removeValue(forKey: id) }
            completion(verdict)
            withExtendedLifetime(timer) {}
        }
        handshake.update { $0.timers[id] = timer }
        timer.arm(at: clock.now.advanced(by: delay))
    }

    /// Waits until judgements were asked for.
    ///
    /// - Parameter count: how many, since the validator was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForJudgements(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.judgements.count >= count }
    }

    private func takeStep(
        _ page: PaginatorPage<T>, _ context: ValidationContext, isFetched: Bool
    ) -> (step: VerdictStep, id: Int) {
        let otherwise = VerdictStep.verdict(otherwise)
        let key = PageIdentity(key: page.key, pageSize: 0)
        return handshake.update { state in
            let step: VerdictStep
            if state.byKey[key]?.isEmpty == false {
                step = state.byKey[key]?.removeFirst() ?? otherwise
            } else {
                step = state.inOrder.isEmpty ? otherwise : state.inOrder.removeFirst()
            }
            state.judgements.append(
                Judgement(page: page, context: context, isFetched: isFetched, verdict: step.verdict))
            return (step, state.judgements.count)
        }
    }
}

/// One judgement of a ``ScriptedValidator`` or a ``RecordingValidator``.
public struct Judgement<T: Sendable>: Sendable {
    /// The page that was judged.
    public let page: PaginatorPage<T>
    /// What the validator was told beside it.
    public let context: ValidationContext
    /// Whether it was asked as for a fetched page, which may take its time.
    public let isFetched: Bool
    /// The verdict; `nil` while there is none.
    public internal(set) var verdict: PageVerdict?
}
