import GRDB

/// The relay's tables.
enum ChatSchema {
    /// - `chatMailbox`: one for each device of a user. Its session is `NULL` while the device is signed out. A user
    ///   without a device has one mailbox without both, which the next device takes over.
    /// - `chatEvent`: the events that wait in a mailbox. A message of another user is removed when the device confirms
    ///   it, any other event when the device requests the events after it.
    /// - `chatMessage`: sender and recipient of a message, without its content. It outlives the message, so that a late
    ///   repetition of the request gets the same id, and a late receipt finds the sender.
    static let migrations = [
        ("chat", first), ("chat-2", attachments), ("chat-3", groups), ("chat-4", revisions), ("chat-5", devices),
    ]

    /// The device of a mailbox, which outlives the session: who is signed out and signs in again finds it.
    private static let devices = "ALTER TABLE chatMailbox ADD COLUMN device TEXT"

    /// The id of a group's last change.
    private static let revisions = "ALTER TABLE chatGroup ADD COLUMN revision INTEGER NOT NULL DEFAULT 0"

    private static let attachments = "ALTER TABLE chatEvent ADD COLUMN attachment TEXT"

    /// - `chatGroup` has ids of the same sequence as users, so that a message's recipient is either of them.
    /// - `chatGroupReceipt`: the status of a group message with each member; its sender is notified when all have it.
    private static let groups = """
        CREATE TABLE chatGroup (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, makerId INTEGER NOT NULL, requestId TEXT NOT NULL,
            UNIQUE (makerId, requestId));
        CREATE TABLE chatMember (
            groupId INTEGER NOT NULL REFERENCES chatGroup(id), userId INTEGER NOT NULL, role TEXT NOT NULL,
            place INTEGER NOT NULL, PRIMARY KEY (groupId, userId)) WITHOUT ROWID;
        CREATE INDEX chatMemberByUser ON chatMember(userId);
        CREATE TABLE chatGroupReceipt (
            messageId INTEGER NOT NULL REFERENCES chatMessage(id) ON DELETE CASCADE, userId INTEGER NOT NULL,
            status INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (messageId, userId)) WITHOUT ROWID;
        ALTER TABLE chatEvent ADD COLUMN mentions TEXT;
        """

    private static let first = """
        CREATE TABLE chatMailbox (
            id INTEGER PRIMARY KEY, userId INTEGER NOT NULL,
            sessionId INTEGER UNIQUE REFERENCES session(id) ON DELETE SET NULL,
            lastEvent INTEGER NOT NULL DEFAULT 0, lastSeenAt INTEGER NOT NULL);
        CREATE INDEX chatMailboxByUser ON chatMailbox(userId);
        CREATE TABLE chatEvent (
            mailboxId INTEGER NOT NULL REFERENCES chatMailbox(id) ON DELETE CASCADE, id INTEGER NOT NULL,
            previous INTEGER NOT NULL, kind TEXT NOT NULL, messageId INTEGER NOT NULL, senderId INTEGER NOT NULL,
            recipientId INTEGER NOT NULL, content TEXT, createdAt INTEGER NOT NULL, PRIMARY KEY (mailboxId, id))
            WITHOUT ROWID;
        CREATE INDEX chatEventByMessage ON chatEvent(messageId);
        CREATE TABLE chatMessage (
            id INTEGER PRIMARY KEY, fromUserId INTEGER NOT NULL, toUserId INTEGER NOT NULL, requestId TEXT NOT NULL,
            createdAt INTEGER NOT NULL, status INTEGER NOT NULL DEFAULT 0, deliveredAt INTEGER,
            isDeleted INTEGER NOT NULL DEFAULT 0, UNIQUE (fromUserId, requestId));
        CREATE INDEX chatMessageDelivered ON chatMessage(deliveredAt) WHERE deliveredAt IS NOT NULL;
        CREATE TABLE chatChange (
            fromUserId INTEGER NOT NULL, requestId TEXT NOT NULL, revision INTEGER NOT NULL, madeAt INTEGER NOT NULL,
            PRIMARY KEY (fromUserId, requestId)) WITHOUT ROWID;
        CREATE TABLE chatUser (userId INTEGER PRIMARY KEY, lastConnectedAt INTEGER);
        CREATE TABLE chatContact (
            userId INTEGER NOT NULL, contactId INTEGER NOT NULL, PRIMARY KEY (userId, contactId)) WITHOUT ROWID;
        CREATE TABLE chatDevice (
            deviceId TEXT PRIMARY KEY, sessionId INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
            pushToken TEXT NOT NULL UNIQUE) WITHOUT ROWID;
        CREATE INDEX chatDeviceBySession ON chatDevice(sessionId);
        """
}
