import PaginatorCore

/// The state of the network and the device, and the conditions that follow from it.
struct DeviceState: Sendable, Hashable {
    enum Link: Sendable, Hashable {
        case none, weak, good

        /// A metered or constrained link is weak; one that connects on demand counts as available.
        init(isUnusable: Bool, isExpensive: Bool, isConstrained: Bool) {
            self = isUnusable ? .none : isExpensive || isConstrained ? .weak : .good
        }
    }

    var link = Link.good
    var savesPower = false
    var isHot = false
    var isInBackground = false
    var isCharging = true

    var conditions: PaginatorConditions {
        var conditions: PaginatorConditions = []
        if link == .none { conditions.insert(.offline) }
        if link == .weak { conditions.insert(.weakLink) }
        if savesPower || isHot { conditions.insert(.lowPower) }
        if isInBackground { conditions.insert(.background) }
        if isCharging { conditions.insert(.charging) }
        return conditions
    }
}

/// Derives the link's state from the answers of a server that is probed, and the time of the next probe.
struct ProbeSchedule: Sendable {
    private var failures = 0

    /// Two failures in a row mean no connection, one answer a connection, and one that took longer than a second a weak
    /// one. `nil` if uncertain.
    ///
    /// - Parameter delay: the time of the answer; `nil` if there was none.
    mutating func answered(after delay: Duration?) -> DeviceState.Link? {
        guard let delay else {
            failures = min(failures + 1, 8)
            return failures > 1 ? DeviceState.Link.none : nil
        }
        failures = 0
        return delay > .seconds(1) ? .weak : .good
    }

    /// 15 seconds while probes succeed; after failures from 250 milliseconds, doubling up to 16 seconds.
    var pause: Duration { failures == 0 ? .seconds(15) : .milliseconds(250) * (1 << min(failures - 1, 6)) }
}
