import PaginatorCore

/// Encodes pages as records and decodes them.
struct PageRecordCoder<T: Sendable>: Sendable {
    /// The content of a record.
    enum Decoded {
        case page(StoredPage<T>)
        /// Written by another codec, or another version of it.
        case otherCodec
        case damaged(PaginatorError)
    }

    let codec: any PageCodec<T>

    func encode(_ identity: PageIdentity, _ stored: StoredPage<T>) throws -> PageRecord {
        let page = stored.page
        guard page.continuation == nil else {
            throw PaginatorError(.storeFailed, "A part of \(identity) is not stored, since it would pass for the page.")
        }
        return PageRecord(
            identity: identity, prevKey: page.prevKey, nextKey: page.nextKey, expirationTime: page.expirationTime,
            fetchedAt: stored.fetchedAt, itemCount: page.content.count, memoryBytes: page.byteCount, codec: codec.tag,
            content: try codec.encode(page.content), revision: page.revision, tags: page.tags, total: page.total,
            isInvalidated: stored.isInvalidated)
    }

    /// - Parameter identity: the page that the file was asked for.
    func decode(_ record: PageRecord, of identity: PageIdentity) -> Decoded {
        // Checked before decoding, because the codec may be user code, which must not get damaged bytes.
        guard record.isIntact else { return .damaged(damage(identity, "its checksum differs", nil)) }
        guard record.identity == identity else { return .damaged(damage(identity, "it is another page", nil)) }
        // Not damaged: an updated app begins with misses, and the rows are replaced when pages are saved.
        guard record.codec == codec.tag else { return .otherCodec }
        do {
            let content = try codec.decode(record.content)
            // A codec may return too few items without an error.
            guard content.count == record.itemCount else {
                return .damaged(damage(identity, "it has \(content.count) items, not \(record.itemCount)", nil))
            }
            let page = PaginatorPage(
                content: content, key: record.identity.key, expirationTime: record.expirationTime,
                prevKey: record.prevKey, nextKey: record.nextKey, byteCount: record.memoryBytes,
                revision: record.revision, total: record.total, tags: record.tags)
            return .page(
                StoredPage(page: page, fetchedAt: record.fetchedAt, isInvalidated: record.isInvalidated))
        } catch {
            return .damaged(damage(identity, "its content could not be read", error))
        }
    }

    private func damage(_ identity: PageIdentity, _ what: String, _ error: (any Error)?) -> PaginatorError {
        let failure = StoreFailure(
            .damagedPage, operation: "decode", message: error.map { "\(what): \($0)" } ?? what)
        return PaginatorError(
            store: failure, "The stored page \(identity) is damaged and was removed: \(what).")
    }
}
