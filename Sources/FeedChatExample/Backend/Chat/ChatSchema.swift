import GRDB

/// The relay's tables.
enum ChatSchema {
    /// - `chatEvent`: what waits for a user; a message leaves it when it was delivered, anything else when the user has
    ///   asked for what follows it.
    /// - `chatMessage`: who sent what to whom, without its content; it outlives the message, so that a late repetition
    ///   of the request gets the same id and a late receipt finds the sender.
    static let script = """
        CREATE TABLE chatEvent (
            id INTEGER PRIMARY KEY, userId INTEGER NOT NULL, previous INTEGER NOT NULL, kind TEXT NOT NULL,
            messageId INTEGER NOT NULL, senderId INTEGER NOT NULL, content TEXT, createdAt INTEGER NOT NULL);
        CREATE INDEX chatEventByUser ON chatEvent(userId, id);
        CREATE INDEX chatEventByMessage ON chatEvent(messageId, userId);
        CREATE TABLE chatMessage (
            id INTEGER PRIMARY KEY, fromUserId INTEGER NOT NULL, toUserId INTEGER NOT NULL, requestId TEXT NOT NULL,
            createdAt INTEGER NOT NULL, status INTEGER NOT NULL DEFAULT 0, deliveredAt INTEGER,
            isDeleted INTEGER NOT NULL DEFAULT 0, UNIQUE (fromUserId, requestId));
        CREATE INDEX chatMessageDelivered ON chatMessage(deliveredAt) WHERE deliveredAt IS NOT NULL;
        CREATE TABLE chatChange (
            fromUserId INTEGER NOT NULL, requestId TEXT NOT NULL, revision INTEGER NOT NULL, madeAt INTEGER NOT NULL,
            PRIMARY KEY (fromUserId, requestId)) WITHOUT ROWID;
        CREATE TABLE chatUser (
            userId INTEGER PRIMARY KEY, lastEvent INTEGER NOT NULL DEFAULT 0, lastConnectedAt INTEGER);
        CREATE TABLE chatContact (
            userId INTEGER NOT NULL, contactId INTEGER NOT NULL, PRIMARY KEY (userId, contactId)) WITHOUT ROWID;
        CREATE TABLE chatDevice (
            userId INTEGER NOT NULL, deviceId TEXT NOT NULL, pushToken TEXT NOT NULL, PRIMARY KEY (userId, deviceId))
            WITHOUT ROWID;
        """
}
