import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct RelayedCallTests {
    private let page = PaginatorPage(content: [1], key: "k")
    private let request = SourceRequest(identity: PageIdentity(key: "k", pageSize: 3))

    @Test func `a part that answers twice goes on once`() {
        let source = ScriptedDataSource<Int>(otherwise: { [page] _ in SourceStep.page(page).twice.insideFetch })
        let call = RelayedCall<Int> { _ in }
        let went = Handshake(0)
        call.run(source, request) { _ in went.update { $0 += 1 } }
        #expect(went.read { $0 } == 1)
    }

    @Test func `an answer of a part that is over is ignored`() throws {
        let part = try #require(RelayedCall<Int> { _ in }.begin())
        #expect(part.stop())
        #expect(!part.end() && !part.stop())
        let other = CallPart()
        #expect(other.end() && !other.end() && !other.stop())
    }

    @Test func `only the first end is the answer, and nothing begins after it`() {
        let answers = SourceAnswers<Int>()
        let call = RelayedCall(completion: answers.take)
        call.end(.success(page))
        call.end(.success(page))
        #expect(answers.all.count == 1)
        #expect(call.begin() == nil)
    }

    @Test func `a cancel that comes before the part's handle stops the part when it does`() {
        let stopped = Handshake(0)
        let answers = SourceAnswers<Int>()
        let call = RelayedCall(completion: answers.take)
        let source = ClosureDataSource<Int>(firstKey: "0") { [page] _, completion in
            call.cancel()
            completion(.success(page))
            return SourceCancellation { stopped.update { $0 += 1 } }
        }
        call.run(source, request) { call.end($0) }
        #expect(stopped.read { $0 } == 1)
        #expect(answers.all.isEmpty)
    }

    @Test func `a part that has answered is not stopped`() {
        let stopped = Handshake(0)
        let call = RelayedCall<Int> { _ in }
        let source = ClosureDataSource<Int>(firstKey: "0") { [page] _, completion in
            completion(.success(page))
            return SourceCancellation { stopped.update { $0 += 1 } }
        }
        call.run(source, request) { _ in }
        call.cancel()
        #expect(stopped.read { $0 } == 0)
    }
}
