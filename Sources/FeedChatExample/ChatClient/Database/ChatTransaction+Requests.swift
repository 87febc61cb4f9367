package import ChatWire
import GRDB

extension ChatTransaction {
    /// Stores the upload progress of a request's attachment.
    package func note(_ attachment: OutgoingAttachment, of requestId: String) throws {
        try db.execute(
            sql: "UPDATE MessageRequests SET attachment = ? WHERE requestId = ?",
            arguments: [try JSONColumn.text(attachment), requestId])
        if let request = try request(requestId) { noteRequests(request.toUserId) }
    }

    /// Returns the requests that have an attachment.
    func requestsWithAttachments() throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT requestId FROM MessageRequests WHERE attachment IS NOT NULL")
    }

    /// Adds a message to be sent, and removes the conversation's draft.
    ///
    /// - Parameters:
    ///   - requestId: the idempotency key, new.
    ///   - now: this device's clock, in milliseconds since 1970.
    package func compose(
        requestId: String, to contactId: String, content: String, attachment: OutgoingAttachment? = nil, now: Int64
    ) throws -> MessageRequest {
        try ensureUser(contactId)
        let members = try group(contactId)?.members ?? []
        try db.execute(
            sql: "DELETE FROM MessageRequests WHERE toUserId = ? AND status = 0", arguments: [contactId])
        var request = MessageRequest(
            requestId: requestId, toUserId: contactId, content: content, status: .pending,
            createdAt: try nextCreationTime(contactId, now: now), attachment: attachment)
        request.mentions = Mentions.ids(in: content, of: members).filter { $0 != userId }
        try insert(request)
        return request
    }

    /// Stores the draft; an empty text removes it.
    package func saveDraft(requestId: String, to contactId: String, content: String, now: Int64) throws {
        noteRequests(contactId)
        guard !content.isEmpty else {
            return try db.execute(
                sql: "DELETE FROM MessageRequests WHERE toUserId = ? AND status = 0", arguments: [contactId])
        }
        try ensureUser(contactId)
        try db.execute(
            sql: "UPDATE MessageRequests SET content = ? WHERE toUserId = ? AND status = 0",
            arguments: [content, contactId])
        guard db.changesCount == 0 else { return }
        try insert(
            MessageRequest(
                requestId: requestId, toUserId: contactId, content: content, status: .draft, createdAt: now))
    }

    package func draft(to contactId: String) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT content FROM MessageRequests WHERE toUserId = ? AND status = 0", arguments: [contactId])
    }

    /// Returns the waiting requests of a conversation, without drafts, in the order of writing.
    package func requests(to contactId: String) throws -> [MessageRequest] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM MessageRequests WHERE toUserId = ? AND status <> 0 ORDER BY createdAt, requestId
                """, arguments: [contactId]
        ).map(MessageRequest.init(row:))
    }

    package func request(_ requestId: String) throws -> MessageRequest? {
        try Row.fetchOne(db, sql: "SELECT * FROM MessageRequests WHERE requestId = ?", arguments: [requestId])
            .map(MessageRequest.init(row:))
    }

    /// Records that requests are being sent.
    package func markSent(_ requestIds: [String], now: Int64) throws {
        for id in requestIds {
            try db.execute(
                sql: "UPDATE MessageRequests SET status = 2, lastSentAt = ? WHERE requestId = ? AND status IN (1, 2)",
                arguments: [now, id])
            if let request = try request(id) { noteRequests(request.toUserId) }
        }
    }

    /// Replaces a request by the message that the server created for it.
    package func acknowledge(_ sent: SentMessage) throws {
        let wire = sent.message
        try db.execute(
            sql: "DELETE FROM MessageRequests WHERE requestId = ?", arguments: [sent.fromMessageRequestId])
        let isDeleted = wire.isDeleted == true
        try save(
            Message(
                messageId: wire.messageId, fromUserId: wire.fromUserId, toUserId: wire.toUserId,
                content: isDeleted ? "" : wire.content, status: try takeEarlyReceipt(of: wire.messageId) ?? .synced,
                createdAt: wire.createdAt, requestId: sent.fromMessageRequestId, isDeleted: isDeleted,
                attachment: isDeleted ? nil : wire.attachment, mentions: wire.mentions ?? []))
        try takeEarlyRevision(of: wire.messageId)
        try removeEarlyChanges()
        noteRequests(wire.toUserId)
    }

    /// Removes early receipts and changes once no request is being sent, because they have no message on this device.
    private func removeEarlyChanges() throws {
        for table in ["EarlyReceipts", "EarlyRevisions"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table)
                    WHERE NOT EXISTS (SELECT 1 FROM MessageRequests WHERE lastSentAt IS NOT NULL)
                    """)
        }
    }

    /// Stores a failed attempt, and the time of the next one in seconds since 1970.
    package func noteFailure(_ requestIds: [String], failCount: Int, notBefore: Double) throws {
        for id in requestIds {
            try db.execute(
                sql: """
                    UPDATE MessageRequests SET failCount = ?, notBefore = ? WHERE requestId = ?
                    """, arguments: [failCount, notBefore, id])
            if let request = try request(id) { noteRequests(request.toUserId) }
        }
    }

    /// Returns the number of failures after one more: none if more bytes of the files were uploaded than before.
    package func failCount(of requests: [MessageRequest], orElse count: Int) throws -> Int {
        let hasMore = try requests.contains { before in
            guard let old = before.attachment, let new = try request(before.requestId)?.attachment else { return false }
            return new.progress > old.progress || new.told != old.told
        }
        return hasMore ? 0 : count
    }

    /// Lets the next attempt upload the files of requests again, if some were uploaded before the last attempt.
    ///
    /// - Parameter requests: as they were read before the last attempt.
    /// - Returns: whether there are any.
    func forgetUploads(of requests: [MessageRequest]) throws -> Bool {
        let uploaded = requests.filter { $0.attachment?.hasUploads == true }
        for before in uploaded {
            guard var attachment = try request(before.requestId)?.attachment else { continue }
            attachment.forgetUploads()
            try note(attachment, of: before.requestId)
        }
        return !uploaded.isEmpty
    }

    /// Marks requests as failed until the user decides.
    package func giveUp(_ requestIds: [String]) throws {
        for id in requestIds {
            try db.execute(
                sql: "UPDATE MessageRequests SET status = 3, notBefore = NULL WHERE requestId = ?", arguments: [id])
            if let request = try request(id) { noteRequests(request.toUserId) }
        }
    }

    /// Sends a failed request again, with the same id and place.
    ///
    /// The server deletes uploads that no message names, so its files are uploaded again; an upload that is still there
    /// costs one request.
    ///
    /// - Returns: whether it was there and had failed.
    package func resend(_ requestId: String) throws -> Bool {
        guard let request = try request(requestId), request.status == .failed else { return false }
        var attachment = request.attachment
        attachment?.forgetUploads()
        try db.execute(
            sql: """
                UPDATE MessageRequests SET status = 1, failCount = 0, notBefore = NULL, attachment = ?
                WHERE requestId = ?
                """, arguments: [try JSONColumn.text(attachment), requestId])
        noteRequests(request.toUserId)
        return true
    }

    /// Deletes a request that has failed or was never sent.
    ///
    /// - Returns: whether it was deleted; a request that may be on its way is not.
    package func deleteRequest(_ requestId: String) throws -> Bool {
        guard let request = try request(requestId), request.status == .failed || request.lastSentAt == nil else {
            return false
        }
        try db.execute(sql: "DELETE FROM MessageRequests WHERE requestId = ?", arguments: [requestId])
        try removeEarlyChanges()
        noteRequests(request.toUserId)
        return true
    }

    private func insert(_ request: MessageRequest) throws {
        try db.execute(
            sql: """
                INSERT INTO MessageRequests(requestId, toUserId, content, status, createdAt, attachment, mentions)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                request.requestId, request.toUserId, request.content, request.status.rawValue, request.createdAt,
                try JSONColumn.text(request.attachment),
                request.mentions.isEmpty ? nil : try JSONColumn.text(request.mentions),
            ])
        noteRequests(request.toUserId)
    }

    /// Returns a time after all waiting requests of the conversation, whatever the clock says.
    private func nextCreationTime(_ contactId: String, now: Int64) throws -> Int64 {
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(createdAt) FROM MessageRequests WHERE toUserId = ? AND status <> 0",
            arguments: [contactId])
        guard let last, last >= now else { return now }
        return last == .max ? last : last + 1
    }
}

extension MessageRequest {
    init(row: Row) {
        self.init(
            requestId: row["requestId"], toUserId: row["toUserId"], content: row["content"],
            status: MessageRequestStatus(rawValue: row["status"]) ?? .pending, createdAt: row["createdAt"],
            lastSentAt: row["lastSentAt"], failCount: row["failCount"],
            attachment: JSONColumn.value(row["attachment"]))
        mentions = JSONColumn.value(row["mentions"]) ?? []
    }
}
