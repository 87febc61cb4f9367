import PaginatorCore

/// What is known of the network and the device, and what speaks for loading less because of it.
struct DeviceState: Sendable, Hashable {
    enum Link: Sendable, Hashable {
        case none, weak, good

        /// A link that costs money, or is to be used sparingly, is weak; one that comes up when it is used is there.
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

/// Decides what the answers of a server that is asked now and then say of the link, and when to ask again.
struct ProbeSchedule: Sendable {
    private var failures = 0

    /// Two failures in a row mean that there is no connection, one answer that there is; one that took longer than a
    /// second, that it is weak. `nil` where that is not sure yet.
    ///
    /// - Parameter delay: how long the answer took; `nil` when none came.
    mutating func answered(after delay: Duration?) -> DeviceState.Link? {
        guard let delay else {
            failures = min(failures + 1, 8)
            return failures > 1 ? DeviceState.Link.none : nil
        }
        failures = 0
        return delay > .seconds(1) ? .weak : .good
    }

    /// 15 seconds while all is well, from 250 milliseconds up to 16 seconds while it is not.
    var pause: Duration { failures == 0 ? .seconds(15) : .milliseconds(250) * (1 << min(failures - 1, 6)) }
}
