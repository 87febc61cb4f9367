import PaginatorCore
import PaginatorTesting

/// One paginator's way to the simulated server.
struct SimulatedSource: PaginatorDataSource {
    let firstKey: String
    let place: Int
    unowned let world: World

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
    ) -> SourceCancellation {
        let world = world
        let number = world.sourceCalled(request, at: place, completion)
        return SourceCancellation { world.sourceCancelled(number) }
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        world.computedNeighbors(of: key, pageSize, at: place)
    }
}

/// What the simulated source says when it fails.
struct SimulatedFailure: Error {}

/// A call of the source that is under way.
struct WorldCall {
    let request: SourceRequest
    let place: Int
    /// When it began: as the world counts, in virtual time, and in that of the device while it was awake.
    let startedAt: Int
    let time: Int64
    let awake: Int64
    let process: Int
    let completion: @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
    var random: SeededRandom
    /// The page, where the server has made it already.
    var page: PaginatorPage<SimulatedItem>?
    var isCancelled = false
    /// Whether nobody will ever answer it.
    var isHung = false
}

extension World {
    /// A call of the source begins; when and how it ends is drawn from the page's own numbers.
    func sourceCalled(
        _ request: SourceRequest, at place: Int,
        _ completion: @escaping @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
    ) -> Int {
        count += 1
        trace.note(1, request.identity.stableHash, UInt64(request.attempt))
        if callDepth > 0 { fail("the source was called inside a call") }
        checkCallIsAlone(request, at: places[place])
        if let since = offlineSince, since + 3 * config.longDelay.wholeNanoseconds < timeline.awake {
            fail("the source was called without a connection")
        }
        let turn = callTurns[request.identity, default: 0]
        callTurns[request.identity] = turn + 1
        lastCall += 1
        let number = lastCall
        note("call \(number) of \(request.identity), attempt \(request.attempt), priority \(request.priority)")
        var random = SeededRandom(seed: seed ^ request.identity.stableHash &+ UInt64(turn) &* 0x9e37_79b9)
        var call = WorldCall(
            request: request, place: place, startedAt: count, time: timeline.nanoseconds,
            awake: timeline.awake, process: timeline.livingProcess, completion: completion, random: random)
        let isHung = !isHealed && random.chance(config.faults.hang)
        let latency = isHealed ? 40_000_000 : latency(&random)
        if random.chance(0.5) { call.page = makePage(for: call) }
        call.random = random
        call.isHung = isHung
        calls[number] = call
        guard !isHung else { return number }
        if random.chance(0.03) {
            answer(number)
        } else {
            timeline.add(at: timeline.nanoseconds + latency) { [unowned self] in answer(number) }
        }
        return number
    }

    func sourceCancelled(_ number: Int) {
        note("call \(number) is cancelled")
        if calls[number]?.isHung == true { calls[number] = nil }
        calls[number]?.isCancelled = true
    }

    private func latency(_ random: inout SeededRandom) -> Int64 {
        let milliseconds =
            random.chance(config.faults.slow)
            ? random.number(in: 1_000..<9_000) : random.number(in: 20..<250)
        return Int64(milliseconds) * 1_000_000
    }

    private func makePage(for call: WorldCall) -> PaginatorPage<SimulatedItem>? {
        var random = call.random
        let verdicts: [SimulatedItem.Verdict] = [.useButRefresh, .dropAndReload, .fail]
        let isOdd = !isHealed && random.chance(config.faults.verdict)
        let verdict = isOdd ? verdicts[random.number(in: 0..<3)] : .accept
        let expires = random.chance(config.expiring) ? timeline.wallTime.addingTimeInterval(8) : nil
        let isCyclic = !isHealed && random.chance(config.faults.cycle)
        return places[call.place].table(of: call.request.scope)?.page(
            call.request.identity, made: call.startedAt, verdict: verdict, expiresAt: expires, isCyclic: isCyclic)
    }

    /// Ends a call in one way or another.
    private func answer(_ number: Int) {
        guard let call = calls.removeValue(forKey: number), call.process == timeline.livingProcess else { return }
        count += 1
        var random = call.random
        let faults = config.faults
        let result: Result<PaginatorPage<SimulatedItem>, SourceError>
        let isDown = timeline.nanoseconds < outageEnd && !isHealed
        if isDown || (!isHealed && random.chance(faults.error)) {
            let error = SimulatedFailure()
            switch isDown ? 0 : random.number(in: 0..<10) {
            case 0..<6: result = .failure(.retry(error))
            case 6: result = .failure(.retry(error, after: .seconds(3)))
            case 7, 8: result = .failure(.fatal(error))
            default: result = .failure(.keyExpired(error))
            }
        } else if let page = call.page ?? makePage(for: call) {
            result = .success(page)
        } else {
            result = .failure(.keyExpired(SimulatedFailure()))
        }
        if case .success(let page) = result {
            note("call \(number) brings a page")
            trace.note(2, call.request.identity.stableHash, UInt64(page.content.count))
        } else {
            note("call \(number) fails")
            trace.note(3, call.request.identity.stableHash)
        }
        if case .failure(let error) = result, error.isKeyExpired {
            // A list whose key has expired begins anew, with pages that are asked for from now on.
            places[call.place].beginEpoch(.scope(call.request.scope), at: timeline.awake)
        }
        if case .success = result { places[call.place].pageCame(in: call.request.scope, requestedAt: call.awake) }
        call.completion(result)
        if !isHealed, random.chance(faults.duplicate) {
            if random.chance(0.5) {
                call.completion(result)
            } else {
                let process = call.process
                timeline.add(at: timeline.nanoseconds + 70_000_000, process: process) { call.completion(result) }
            }
        }
    }

    /// One load per identity and epoch: nobody else may be calling for the page, unless an epoch began meanwhile.
    private func checkCallIsAlone(_ request: SourceRequest, at place: Place) {
        for call in calls.values where !call.isCancelled && call.request.identity == request.identity {
            guard call.process == timeline.livingProcess else { continue }
            // An attempt whose time is over is told so by work of its own, which the next attempt may overtake.
            let isOver = call.time + config.attemptTimeout.wholeNanoseconds <= timeline.nanoseconds
            if isOver, request.attempt > call.request.attempt { continue }
            // A list wants what lies beside a page that came to be no older than that page. What counts is when a paginator
            // decided to ask, and of two calls the one that was decided first may be made last.
            if place.newestPage(in: request.scope) + 3 * config.longDelay.wholeNanoseconds >= call.awake { continue }
            if place.lastEpoch(of: request.identity) + 2 * config.fetchTimeout.wholeNanoseconds < timeline.awake {
                fail("two calls at once for \(request.identity) within one epoch")
            }
        }
    }

    func computedNeighbors(of key: String, _ size: Int, at place: Int) -> NeighborKeys? {
        guard place % 2 == 0, places[place].style != .cursor else { return nil }
        return places[place].tables.first?.neighbors(of: key, size)
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
