extension PageVerdict {
    /// How bad the verdict is: accept, use but refresh, drop and reload, fail, in this order.
    var severity: Int {
        switch kind {
        case .accept: 0
        case .useButRefresh: 1
        case .dropAndReload: 2
        case .fail: 3
        }
    }

    /// Returns the worse of both verdicts, this one when they are equally bad.
    ///
    /// From good to bad: ``accept``, ``useButRefresh``, ``dropAndReload``, ``fail(reason:)``.
    ///
    /// - Parameter other: what another validator says of the same page.
    public func orWorse(_ other: PageVerdict) -> PageVerdict {
        other.severity > severity ? other : self
    }

    /// Whether no verdict is worse.
    var isWorst: Bool { severity == 3 }
}
