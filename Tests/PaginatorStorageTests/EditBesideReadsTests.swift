import Dispatch
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One edit goes through every page of the store; nobody waits for that.
@Suite("Reads beside an edit of everything")
struct EditBesideReadsTests {
    /// A file of which one page takes as long to read as a test wants.
    private final class SlowFile: PageFile {
        let file = ScriptedPageFile()
        let slow: PageIdentity
        let isHeld = Handshake(false)
        let isReading = Handshake(false)

        init(slow: PageIdentity) { self.slow = slow }

        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
            if identity == slow, isHeld.read({ $0 }) {
                isReading.update { $0 = true }
                isHeld.block { !$0 }
            }
            return try file.read(identity)
        }

        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            try file.commit(changes, durably: durably)
        }

        func recover() throws(PaginatorError) -> [RecordFacts] { try file.recover() }
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    @Test func `While an edit goes through all pages, others are read at once, and show it`() async throws {
        let file = SlowFile(slow: id("slow"))
        let store = PageFileStore(
            file: file, codec: CompactPageCodec<SampleItem>(), evictionStrategy: .lru(maxPages: 1_000))
        for key in ["a", "b", "slow"] {
            let page = PaginatorPage(content: [SampleItem(id: 1, text: "old")], key: key)
            store.apply([.save(id(key), StoredPage(page: page, fetchedAt: Date()))]) { _ in }
        }
        let saved: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
        try saved.get()

        file.isHeld.update { $0 = true }
        store.apply([
            .edit(.all, .items(where: { $0.id == 1 }) { SampleItem(id: 1, text: $0.text + " liked") })
        ]) { _ in }
        let flushed = Handshake<Result<Void, PaginatorError>?>(nil)
        store.flush { result in flushed.update { $0 = result } }
        try await file.isReading.wait { $0 }
        for key in ["a", "b"] {
            let loaded: Result<StoredPage<SampleItem>?, PaginatorError> = waitFor {
                store.load(id(key), completion: $0)
            }
            #expect(try loaded.get()?.page.content.map(\.text) == ["old liked"])
        }
        #expect(flushed.read { $0 } == nil)
        file.isHeld.update { $0 = false }
        try await flushed.wait { $0 != nil }
        for key in ["a", "b", "slow"] {
            let loaded: Result<StoredPage<SampleItem>?, PaginatorError> = waitFor {
                store.load(id(key), completion: $0)
            }
            #expect(try loaded.get()?.page.content.map(\.text) == ["old liked"])
        }
    }

    /// A file that tells of damage itself.
    private final class DamagedFile: PageFile {
        let file = ScriptedPageFile()
        let damaged: PageIdentity

        init(damaged: PageIdentity) { self.damaged = damaged }

        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
            if identity == damaged {
                throw PaginatorError(
                    store: StoreFailure(.damagedPage, operation: "read", message: "Wrong bytes."), "Wrong bytes.")
            }
            return try file.read(identity)
        }

        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            try file.commit(changes, durably: durably)
        }

        func recover() throws(PaginatorError) -> [RecordFacts] { try file.recover() }
    }

    @Test func `A page that the file calls damaged keeps no other page from its edit`() throws {
        let file = DamagedFile(damaged: id("a"))
        let store = PageFileStore(
            file: file, codec: CompactPageCodec<SampleItem>(), evictionStrategy: .lru(maxPages: 1_000))
        for key in ["a", "b"] {
            let page = PaginatorPage(content: [SampleItem(id: 1, text: "old")], key: key)
            store.apply([.save(id(key), StoredPage(page: page, fetchedAt: Date()))]) { _ in }
        }
        let saved: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
        try saved.get()
        store.apply([.edit(.all, .items(where: { $0.id == 1 }) { SampleItem(id: 1, text: $0.text + " liked") })]) { _ in
        }
        let edited: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
        try edited.get()
        let loaded: Result<StoredPage<SampleItem>?, PaginatorError> = waitFor { store.load(id("b"), completion: $0) }
        #expect(try loaded.get()?.page.content.map(\.text) == ["old liked"])
    }
}
