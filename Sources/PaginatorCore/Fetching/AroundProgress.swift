/// How far one fetch around a page has come: which neighbors to load, and in which order to deliver them.
///
/// The asked page comes first; then +1, -1, +2, -2 and so on. Results that come early are held. A direction ends at
/// the asked depth, at a page without a further key, at a failure, at a key that no request may have, or at one that was
/// seen before.
struct AroundProgress: Sendable {
    /// What the owner has to do.
    enum Command: Sendable {
        case load(distance: Int, key: String)
        case abandon(distance: Int)
        case deliver(LoadedPage, distance: Int)
        case fail(PaginatorError, distance: Int)
        case reportRepeated(key: String, distance: Int)
        case reportRefused(PaginatorError)
        case end(Result<AroundSummary, PaginatorError>)
    }

    private enum Slot: Sendable {
        case loading
        case loaded(LoadedPage)
        case failed(PaginatorError)
    }

    /// One direction; distances are counted from 1.
    private struct Side: Sendable {
        var isWanted: Bool
        /// Keys by distance, as far as they are known.
        var keys: [String] = []
        var slots: [Int: Slot] = [:]
        var delivered = 0
        var hasEnded = false
    }

    private let depth: Int
    private let scope: String
    private let pageSize: Int
    private var seen: Set<PageIdentity>
    private var sides: [Side]
    private var asked: LoadedPage?
    private var isEnded = false
    private var summary = AroundSummary()

    /// Starts with the asked page being loaded.
    init(_ request: AroundRequest) {
        depth = request.depthLevel
        scope = request.page.scope
        pageSize = request.page.pageSize
        seen = [request.page.identity]
        sides = [
            Side(isWanted: request.depthLevel > 0 && request.direction != .backward),
            Side(isWanted: request.depthLevel > 0 && request.direction != .forward),
        ]
        for index in sides.indices where !sides[index].isWanted { sides[index].hasEnded = true }
    }

    /// Takes the keys that the source computed, nearest first, and starts loading them.
    mutating func computed(forward: [String], backward: [String]) -> [Command] {
        guard !isEnded, asked == nil else { return [] }
        var commands: [Command] = []
        for (index, keys) in [forward, backward].enumerated() where !sides[index].hasEnded {
            for key in keys.prefix(depth) {
                guard seen.insert(identity(key)).inserted else { break }
                start(index, key, &commands)
            }
        }
        return commands
    }

    /// Takes the outcome of the page at `distance`.
    package mutating func settled(
        _ distance: Int, _ outcome: Result<LoadedPage, PaginatorError>
    ) -> [Command] {
        guard !isEnded else { return [] }
        var commands: [Command] = []
        if distance == 0 {
            askedSettled(outcome, &commands)
        } else {
            let index = distance > 0 ? 0 : 1
            guard case .loading? = sides[index].slots[abs(distance)] else { return [] }
            switch outcome {
            case .success(let page):
                sides[index].slots[abs(distance)] = .loaded(page)
                if asked != nil { follow(index, abs(distance), page, &commands) }
            case .failure(let error):
                sides[index].slots[abs(distance)] = .failed(error)
                abandon(index, beyond: abs(distance), &commands)
            }
        }
        deliver(&commands)
        return commands
    }

    private mutating func askedSettled(
        _ outcome: Result<LoadedPage, PaginatorError>, _ commands: inout [Command]
    ) {
        switch outcome {
        case .failure(let error):
            for index in sides.indices { abandon(index, beyond: 0, &commands) }
            isEnded = true
            commands.append(.end(.failure(error)))
        case .success(let page):
            asked = page
            summary.delivered.append(0)
            commands.append(.deliver(page, distance: 0))
            for index in sides.indices where !sides[index].hasEnded {
                follow(index, 0, page, &commands)
                // Pages that came while the asked one was loading are linked now.
                var step = 1
                while case .loaded(let early)? = sides[index].slots[step] {
                    follow(index, step, early, &commands)
                    step += 1
                }
            }
        }
    }

    /// Goes on from a page to the next one of its side. The page's own link counts more than a computed key.
    private mutating func follow(_ index: Int, _ step: Int, _ page: LoadedPage, _ commands: inout [Command]) {
        guard step < depth else { return }
        let next = index == 0 ? page.neighbors.next : page.neighbors.previous
        guard let next else {
            abandon(index, beyond: step, &commands)
            if let refusal = page.refusedNeighbors[index == 0 ? .forward : .backward] {
                sides[index].slots[step + 1] = .failed(refusal)
                commands.append(.reportRefused(refusal))
            }
            return
        }
        if sides[index].keys.count > step {
            if sides[index].keys[step].hasSameBytes(as: next) { return }
            abandon(index, beyond: step, &commands)
        }
        guard seen.insert(identity(next)).inserted else {
            let distance = index == 0 ? step : -step
            summary.repeatedKeys[distance] = next
            commands.append(.reportRepeated(key: next, distance: distance))
            return
        }
        start(index, next, &commands)
    }

    private mutating func start(_ index: Int, _ key: String, _ commands: inout [Command]) {
        sides[index].keys.append(key)
        let step = sides[index].keys.count
        sides[index].slots[step] = .loading
        commands.append(.load(distance: index == 0 ? step : -step, key: key))
    }

    /// Gives up what was started further out than `step`.
    private mutating func abandon(_ index: Int, beyond step: Int, _ commands: inout [Command]) {
        while sides[index].keys.count > step {
            let distance = sides[index].keys.count
            seen.remove(identity(sides[index].keys.removeLast()))
            if case .loading? = sides[index].slots.removeValue(forKey: distance) {
                commands.append(.abandon(distance: index == 0 ? distance : -distance))
            }
        }
    }

    /// Delivers everything whose turn has come.
    private mutating func deliver(_ commands: inout [Command]) {
        guard asked != nil, !isEnded else { return }
        while let index = nextSide() {
            let step = sides[index].delivered + 1
            let distance = index == 0 ? step : -step
            switch sides[index].slots[step] {
            case .loading:
                return
            case .loaded(let page):
                sides[index].delivered = step
                if step == depth { sides[index].hasEnded = true }
                summary.delivered.append(distance)
                commands.append(.deliver(page, distance: distance))
            case .failed(let error):
                sides[index].hasEnded = true
                summary.failures[distance] = error
                commands.append(.fail(error, distance: distance))
            case nil:
                sides[index].hasEnded = true
            }
        }
        isEnded = true
        commands.append(.end(.success(summary)))
    }

    /// The side whose turn it is: the one that delivered less, forward when both are equal.
    private func nextSide() -> Int? {
        switch (sides[0].hasEnded, sides[1].hasEnded) {
        case (true, true): nil
        case (false, true): 0
        case (true, false): 1
        case (false, false): sides[1].delivered < sides[0].delivered ? 1 : 0
        }
    }

    private func identity(_ key: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: pageSize, scope: scope)
    }
}
