@testable import PaginatorCore

extension FollowMachine {
    func invariantViolations() -> [String] {
        var violations: [String] = []
        if remembered.count > Self.maxRemembered { violations.append("too many identities are remembered") }
        if Set(remembered).count != remembered.count { violations.append("an identity is remembered twice") }
        if lastEventID?.isEmpty == true { violations.append("an empty identity is asked for") }
        if case .live = state, hasMissed {
            violations.append("what was missed is not told while the source is followed")
        }
        if let connection, connection != lastConnection { violations.append("an old connection is listened to") }
        if failures > 62 { violations.append("failures are not bounded") }
        return violations
    }
}
