public import PaginatorCore

/// A validator that hands every judgement on to a real one and records it, with its verdict.
public final class RecordingValidator<T: Sendable>: PageValidator {
    private let validator: any PageValidator<T>
    private let handshake = Handshake<[Judgement<T>]>([])

    /// Wraps a validator.
    public init(_ validator: any PageValidator<T>) {
        self.validator = validator
    }

    /// Every judgement so far, in the order in which they were asked for.
    public var judgements: [Judgement<T>] { handshake.read { $0 } }

    /// The verdicts so far, in the order in which they were asked for.
    public var verdicts: [PageVerdict] { judgements.compactMap(\.verdict) }

    /// Judges by the real validator and records the verdict.
    public func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict {
        let verdict = validator.judge(page, in: context)
        handshake.update {
            $0.append(Judgement(page: page, context: context, isFetched: false, verdict: verdict))
        }
        return verdict
    }

    /// Judges by the real validator and records the verdict; of several, the last.
    public func judgeFetched(
        _ page: PaginatorPage<T>, in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        let handshake = handshake
        let index = handshake.update { judgements in
            judgements.append(Judgement(page: page, context: context, isFetched: true, verdict: nil))
            return judgements.count - 1
        }
        validator.judgeFetched(page, in: context) { verdict in
            handshake.update { $0[index].verdict = verdict }
            completion(verdict)
        }
    }

    /// Waits until judgements were asked for.
    ///
    /// - Parameter count: how many, since the validator was wrapped.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForJudgements(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.count >= count }
    }
}
