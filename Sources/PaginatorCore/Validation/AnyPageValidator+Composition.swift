extension PageValidator {
    /// Returns a validator that asks this one and then `other`; the worse verdict counts.
    ///
    /// From good to bad: accept, use but refresh, drop and reload, fail. After a failure `other` is not asked. Of two
    /// equal verdicts the first counts. Fetched pages are judged by one after the other, even asynchronously.
    ///
    /// - Parameter other: the second validator.
    public func and(_ other: AnyPageValidator<T>) -> AnyPageValidator<T> {
        AnyPageValidator(self).then(other)
    }

    /// Returns a validator that asks this one and then `other`; the worse verdict counts. See ``and(_:)``.
    ///
    /// - Parameter other: the second validator.
    public func and(_ other: some PageValidator<T>) -> AnyPageValidator<T> {
        AnyPageValidator(self).then(AnyPageValidator(other))
    }
}

extension AnyPageValidator {
    fileprivate func then(_ second: AnyPageValidator<T>) -> AnyPageValidator<T> {
        let first = self
        let fetched: FetchedJudgement = { page, context, completion in
            first.judgeFetched(page, in: context) { verdict in
                guard !verdict.isWorst else { return completion(verdict) }
                second.judgeFetched(page, in: context) { completion(verdict.orWorse($0)) }
            }
        }
        return AnyPageValidator(
            { page, context in
                let verdict = first.judge(page, in: context)
                return verdict.isWorst ? verdict : verdict.orWorse(second.judge(page, in: context))
            },
            fetched: first.isSynchronous && second.isSynchronous ? nil : fetched)
    }
}
