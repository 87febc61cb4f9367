import PaginatorCore
import PaginatorTesting

/// Hands every call to the world, which answers it, late, twice or never.
struct SimulatedSource: PaginatorDataSource {
    let firstKey = "0"
    unowned let world: FetchWorld

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
    ) -> SourceCancellation {
        let world = world
        let number = world.sourceCalled(request, completion)
        return SourceCancellation { world.calls[number].isCancelled = true }
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard world.seed % 5 == 0, let index = FetchWorld.keys.firstIndex(where: { $0.hasSameBytes(as: key) }) else {
            return nil
        }
        return NeighborKeys(
            previous: index > 0 ? FetchWorld.keys[index - 1] : nil,
            next: index + 1 < FetchWorld.keys.count ? FetchWorld.keys[index + 1] : nil)
    }
}

extension FetchWorld {
    /// A call of the source begins.
    func sourceCalled(
        _ request: SourceRequest,
        _ completion: @escaping @Sendable (Result<PaginatorPage<SimulatedItem>, SourceError>) -> Void
    ) -> Int {
        step += 1
        if callDepth > 0 { fail("the source was called inside a call") }
        // A load whose epoch ended while it waited for a slot is called beside the load of the next epoch.
        let isRepeated = calls.contains { $0.isWanted && $0.request.identity == request.identity }
        if isRepeated, epochs[request.identity, default: 0] < quiet[request.identity, default: 0] {
            fail("two calls at once for \(request.identity) within one epoch")
        }
        calls.append(Call(request: request, startedAt: step, completion: completion))
        let number = calls.count - 1
        if random.chance(0.1) { answer(number) }
        return number
    }

    /// Answers a call in one way or another.
    func answer(_ number: Int) {
        step += 1
        let call = calls[number]
        calls[number].isAnswered = true
        let error = SimulatedFailure()
        let result: Result<PaginatorPage<SimulatedItem>, SourceError>
        switch random.number(in: 0..<20) {
        case 0, 1: result = .failure(.retry(error))
        case 2: result = .failure(.retry(error, after: .seconds(3)))
        case 3: result = .failure(.fatal(error))
        case 4: result = .failure(.keyExpired(error))
        default: result = .success(page(call.request.identity, made: call.startedAt))
        }
        call.completion(result)
        if random.chance(0.05) { call.completion(.success(page(call.request.identity, made: call.startedAt))) }
    }

    func page(_ identity: PageIdentity, made: Int) -> PaginatorPage<SimulatedItem> {
        let verdicts: [PageVerdict] = [.useButRefresh, .dropAndReload, .fail(reason: "bad")]
        let verdict = random.chance(0.12) ? verdicts[random.number(in: 0..<3)] : .accept
        let item = SimulatedItem(
            key: identity.key, scope: identity.scope, pageSize: identity.pageSize, made: made, verdict: verdict)
        let index = Self.keys.firstIndex { $0.hasSameBytes(as: identity.key) } ?? 0
        let cycles = random.chance(0.1)
        return PaginatorPage(
            content: [item], key: identity.key,
            expirationTime: random.chance(0.6) ? clock.wallTime.addingTimeInterval(8) : nil,
            prevKey: index > 0 ? Self.keys[index - 1] : nil,
            nextKey: cycles ? Self.keys[0] : index + 1 < Self.keys.count ? Self.keys[index + 1] : nil)
    }
}

struct SimulatedFailure: Error {}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
