import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts a batch of page changes to record changes.
struct RecordBatch<T: Sendable> {
    private let coder: PageRecordCoder<T>
    private let file: any PageFile
    private let savedAt: Date
    var changes: [RecordChange] = []
    /// Errors of single pages.
    private(set) var errors: [PaginatorError] = []
    /// Pages that this batch writes, with their index in ``changes`` and their content.
    private(set) var written: [PageIdentity: (index: Int, page: StoredPage<T>)] = [:]
    private var removed: [PageSelection] = []
    /// Pages that edits of this batch change.
    private(set) var edited: Set<PageIdentity> = []
    /// Called with each page that is read for an edit, as it is in the file; `nil` if an edit cannot change it.
    private let wasRead: (PageIdentity, PaginatorPage<T>?) -> Void

    init(
        coder: PageRecordCoder<T>, file: any PageFile, savedAt: Date,
        wasRead: @escaping (PageIdentity, PaginatorPage<T>?) -> Void
    ) {
        self.coder = coder
        self.file = file
        self.savedAt = savedAt
        self.wasRead = wasRead
    }

    /// Adds a change that is no edit.
    mutating func add(_ change: StoreChange<T>) {
        switch change {
        case .save(let identity, let page):
            if let record = encode(identity, page) {
                written[identity] = (changes.count, page)
                changes.append(.save(record, savedAt: savedAt))
            } else {
                // The file must not keep an older one.
                remove(identity)
            }
        case .remove(let selection):
            // Earlier writes stay in the batch, because the file applies changes in order.
            for identity in written.keys where selection.contains(identity) { written[identity] = nil }
            removed.append(selection)
            changes.append(.remove(selection))
        case .invalidate(let selection):
            changes.append(.invalidate(selection))
        case .invalidateTags(let tags):
            changes.append(.invalidateTags(tags))
        // Added with the edits beside it.
        case .edit: break
        }
    }

    /// Adds edits of the same pages; each page is read once for all of them.
    ///
    /// - Parameter pages: the selected pages in the file that the edits may concern.
    mutating func add(
        _ edits: [PageEdit<T>], to selection: PageSelection, in pages: [PageIdentity]
    ) throws(PaginatorError) {
        // A page written by this batch is edited in place, so that it is encoded and written once.
        for (identity, known) in written where selection.contains(identity) {
            guard let changed = known.page.edited(by: edits) else { continue }
            edited.insert(identity)
            rewrite(identity, at: known.index, changed)
        }
        for identity in pages where written[identity] == nil {
            // Still in the file, but removed by this batch: an edit would add it again.
            guard !removed.contains(where: { $0.contains(identity) }) else { continue }
            try applyInFile(edits, to: identity)
        }
    }

    private mutating func applyInFile(_ edits: [PageEdit<T>], to identity: PageIdentity) throws(PaginatorError) {
        // A page that is damaged or of another codec cannot be edited; the next load of it reports that.
        guard let record = try record(of: identity) else { return wasRead(identity, nil) }
        let decoded = coder.decode(record, of: identity)
        guard case .page(let page) = decoded else {
            // Whoever has the other codec must not take the page for fresh. Until it is stale in the file, later edits
            // read it again.
            guard case .otherCodec = decoded, !record.isInvalidated else { return wasRead(identity, nil) }
            return changes.append(.invalidate(.identity(identity)))
        }
        wasRead(identity, page.page)
        guard let changed = page.edited(by: edits) else { return }
        edited.insert(identity)
        // No page is better than the page without an edit that is shown everywhere else.
        guard let rewritten = encode(identity, changed) else { return remove(identity) }
        written[identity] = (changes.count, changed)
        // Only over the bytes that were read, because another process may save the page before the commit. An
        // invalidation in the file is kept, even one of this batch.
        changes.append(.rewrite(rewritten, replacing: record.checksum))
    }

    private func record(of identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        do throws(PaginatorError) {
            return try file.read(identity)
        } catch {
            guard error.storeKind == .damagedPage else { throw error }
            return nil
        }
    }

    /// Removes a page that this batch cannot write, because later edits of the batch must not restore an older one.
    private mutating func remove(_ identity: PageIdentity) {
        removed.append(.identity(identity))
        changes.append(.remove(.identity(identity)))
    }

    /// Replaces a page in the batch by its edited version.
    private mutating func rewrite(_ identity: PageIdentity, at index: Int, _ page: StoredPage<T>) {
        guard let record = encode(identity, page) else {
            changes[index] = .remove(.identity(identity))
            removed.append(.identity(identity))
            written[identity] = nil
            return
        }
        written[identity]?.page = page
        // It still replaces the record in the file, and not the version of an earlier edit of this batch.
        if case .rewrite(_, let replaced) = changes[index] {
            changes[index] = .rewrite(record, replacing: replaced)
        } else {
            changes[index] = .save(record, savedAt: savedAt)
        }
    }

    private mutating func encode(_ identity: PageIdentity, _ page: StoredPage<T>) -> PageRecord? {
        do {
            return try coder.encode(identity, page)
        } catch {
            // An item that cannot be encoded must not prevent the other pages from being written.
            errors.append(
                PaginatorError(.storeFailed, "The page \(identity) could not be written as bytes.", underlying: error))
            return nil
        }
    }
}

extension StoredPage {
    /// Returns the edited page; `nil` if no edit affects it.
    func edited(by edits: [PageEdit<T>]) -> StoredPage? {
        edits.reduce(nil) { ($0 ?? self).edited(by: $1) ?? $0 }
    }
}
