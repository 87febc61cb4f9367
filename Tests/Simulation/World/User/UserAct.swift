package import PaginatorCore
package import PaginatorLists
import PaginatorTesting

/// What happens next to a user's lists. Rows are named by a number that is taken modulo how many there are, so that
/// leaving out other acts keeps an act sensible.
package enum UserAct: Sendable, Hashable {
    // The user, on one list.
    case next, previous, retry, reset, cancelLoads, newList, bookmark, restore
    case hint(at: Int)
    /// Another search, which happens to find the same rows.
    case show(scope: String, keepsItems: Bool)
    case refresh(PaginatorListRefresh)
    /// The page of the key that some shown row came by.
    case refreshPage(ofRow: Int)
    case jump(row: Int)
    case jumpTo(String)
    case fill(gap: Int, fromStart: Bool)
    // The user, on rows.
    case change(row: Int), remove(row: Int), insertFirst, insertLast, insert(after: Int), cover(row: Int)
    case settle(edit: Int, UserOutcome)
    // Somebody else in the same app.
    case refetch(row: Int), invalidateAll, pauseHints(Bool)
    // The server.
    case serverInserts(at: Int, count: Int), serverRemoves(at: Int, count: Int), serverChanges(row: Int)
    /// A row at the head that the server tells the device about, or a new value of one.
    case push, pushValue(row: Int)
    case down(Bool), hangs(Bool)
    /// The server reads its table when it is asked, and answers when it is let.
    case holdAnswers(Bool)
    // The device.
    case conditions(PaginatorConditions), sleep(seconds: Int), storeIsSilent(Bool)
    case wait(seconds: Int)
    /// Nothing happens; every list has to have its first page.
    case mustHaveLoaded
    /// Nothing happens; something has to say that a load failed.
    case mustTell
}

/// What becomes of an edit.
package enum UserOutcome: Sendable, Hashable {
    case refused, accepted
    /// The server says what the row is now.
    case acceptedWithValue
    /// The server's push of the new row is faster than its answer.
    case pushedAndAccepted
}

/// An act, the list that it is for, and how long nothing else happens after it.
package struct UserStep: Sendable, CustomStringConvertible {
    package var act: UserAct
    package var list = 0
    package var pause = 0

    package init(_ act: UserAct, list: Int = 0, pause: Int = 0) {
        self.act = act
        self.list = list
        self.pause = pause
    }

    package var description: String { "\(act) on list \(list), then \(pause) ms" }

    /// What happens in the world of a seed.
    package static func plan(_ seed: UInt64, _ setup: UserSetup) -> [UserStep] {
        var random = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d &+ 7)
        return (0..<random.number(in: 10..<70)).map { _ in
            let pauses = [0, 0, 5, 60, 400, 3_000]
            return UserStep(
                draw(&random, setup), list: random.number(in: 0..<4) / 3, pause: pauses[random.number(in: 0..<6)])
        }
    }

    private static func draw(_ random: inout SeededRandom, _ setup: UserSetup) -> UserAct {
        let row = random.number(in: 0..<60)
        let few = random.number(in: 1..<5)
        let isOn = random.chance(0.5)
        let place = [0, 0, row, 1_000][random.number(in: 0..<4)]
        switch random.number(in: 0..<120) {
        case 0..<18: return .next
        case 18..<23: return .previous
        case 23..<35: return .hint(at: isOn ? row : 1_000)
        case 35..<38: return .retry
        case 38: return .reset
        case 39: return .cancelLoads
        case 113 where setup.isSwitching, 119 where setup.isSwitching:
            return .show(scope: ["", "other", "third"][row % 3], keepsItems: random.chance(0.7))
        case 40: return isOn ? .newList : random.chance(0.5) ? .bookmark : .restore
        case 41..<48:
            return .refresh([.all, .firstPage, .keepingPlace, .stalePages][random.number(in: 0..<4)])
        case 48: return .refreshPage(ofRow: row)
        case 49..<54: return .jump(row: row)
        case 54..<58: return .fill(gap: row, fromStart: isOn)
        case 58..<62: return .change(row: row)
        case 62..<65: return .remove(row: row)
        case 65: return .insertFirst
        case 66: return .insertLast
        case 67..<69: return .insert(after: row)
        case 69: return .cover(row: row)
        case 70..<82:
            return .settle(
                edit: row, [.refused, .accepted, .acceptedWithValue, .pushedAndAccepted][random.number(in: 0..<4)])
        case 82: return .refetch(row: row)
        case 83: return .invalidateAll
        case 84: return .pauseHints(random.chance(0.3))
        case 85..<89: return setup.isShifting ? .serverInserts(at: place, count: few) : .next
        case 89..<93: return setup.isShifting ? .serverRemoves(at: place, count: few) : .hint(at: 1_000)
        case 93..<96: return .serverChanges(row: row)
        case 96..<99: return setup.isShifting ? .push : .previous
        case 99: return .pushValue(row: row)
        case 100..<103: return .down(isOn)
        case 103: return .hangs(random.chance(0.3))
        case 104: return .holdAnswers(random.chance(0.3))
        case 105..<112:
            let all: [PaginatorConditions] = [
                [], [], .offline, .lowPower, .background, .weakLink, [.lowPower, .offline],
            ]
            return .conditions(all[random.number(in: 0..<all.count)])
        case 112: return .sleep(seconds: [3, 100, 4_000][random.number(in: 0..<3)])
        case 113..<115: return .storeIsSilent(random.chance(0.3))
        default: return .wait(seconds: [1, 10, 70, 200][random.number(in: 0..<4)])
        }
    }
}

/// What a world is like.
package struct UserSetup: Sendable {
    var style: UserTable.Style = .offset
    package var rows = 30
    package var pageSize = 5
    package var window: Int?
    package var prefetchDistance = 0
    package var memoryPages = 200
    package var lists = 1
    package var hasStore = false
    /// Pages are stale after half a minute.
    package var expires = false
    /// Cached pages that are older than twenty seconds are used, and loaded again.
    package var judges = false
    package var waitsOffline = false
    /// Somebody else inserts and removes rows.
    package var isShifting = true
    /// How many calls of a hundred fail.
    package var failures = 0
    /// The key behind the last page is empty, not absent.
    package var endsWithEmptyKey = false
    package var computesKeys = false
    /// How far apart the list machine's ranks are at first; `nil` for its own choice.
    package var rankStep: Int?
    package var policy: FetchPolicy?
    /// The user looks for something else now and then.
    var isSwitching = false
    /// The list is of rows in a database of the device, into which those of the server are loaded.
    var mediates = false

    package init() {}

    package init(seed: UInt64) {
        var random = SeededRandom(seed: seed &+ 0x9e37_79b9)
        style = UserTable.Style.allCases[Int(seed % 4)]
        isShifting = seed / 4 % 3 != 0
        rows = [0, 4, 17, 30, 60][random.number(in: 0..<5)]
        pageSize = random.number(in: 1..<7)
        window = random.chance(0.35) ? pageSize * random.number(in: 2..<6) : nil
        prefetchDistance = [0, pageSize, 2 * pageSize][random.number(in: 0..<3)]
        memoryPages = random.chance(0.3) ? 3 : 200
        lists = random.chance(0.4) ? 2 : 1
        hasStore = random.chance(0.3)
        expires = random.chance(0.2)
        judges = random.chance(0.15)
        waitsOffline = random.chance(0.5)
        failures = random.chance(0.3) ? 10 : 0
        endsWithEmptyKey = random.chance(0.2)
        computesKeys = random.chance(0.5)
        rankStep = random.chance(0.5) ? nil : random.chance(0.5) ? 2 : 1 << 16
        let policies: [FetchPolicy?] = [
            nil, nil, .staleWhileRevalidate, .networkFirst(fallbackAfter: .milliseconds(100)),
        ]
        policy = policies[random.number(in: 0..<4)]
        isSwitching = random.chance(0.4)
    }
}
