import AppFoundation
import GRDB

/// The tables of one signed-in user's chats: a script for each step.
enum ChatSchema {
    static let migrations = [
        ("chat-1", first), ("chat-2", editHistory), ("chat-3", attachments), ("chat-4", groups), ("chat-5", revisions),
        ("chat-6", unusedColumns),
    ].map { name, script in
        AppDatabase.Migration(name) { db in try db.execute(sql: script) }
    }

    private static let unusedColumns = """
        ALTER TABLE MessageRequests DROP COLUMN lastModifiedAt;
        ALTER TABLE Receipts DROP COLUMN notBefore;
        """

    /// The texts of a message before its edits, as far as this device got them.
    private static let editHistory = """
        CREATE TABLE MessageEdits (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            messageId INTEGER NOT NULL REFERENCES Messages(messageId) ON DELETE CASCADE,
            content TEXT NOT NULL,
            replacedAt INTEGER
        );
        CREATE INDEX MessageEditsByMessage ON MessageEdits(messageId, id);
        """

    /// The attachment of a message, as JSON.
    private static let attachments = """
        ALTER TABLE Messages ADD COLUMN attachment TEXT;
        ALTER TABLE MessageRequests ADD COLUMN attachment TEXT;
        """

    /// A group is a row of `Users`, so that a conversation's other side is one column. A message of another user is
    /// unread until its status changes, whichever member of a group wrote it.
    private static let groups = """
        ALTER TABLE Users ADD COLUMN isGroup INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE GroupMembers (
            groupId TEXT NOT NULL REFERENCES Users(id) ON DELETE CASCADE,
            userId TEXT NOT NULL,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (groupId, userId)
        );
        ALTER TABLE Messages ADD COLUMN mentions TEXT;
        ALTER TABLE MessageRequests ADD COLUMN mentions TEXT;
        ALTER TABLE Messages ADD COLUMN isIncoming INTEGER NOT NULL DEFAULT 0;
        UPDATE Messages SET isIncoming = (fromUserId = contactId);
        DROP INDEX MessagesUnread;
        CREATE INDEX MessagesUnread ON Messages(contactId, messageId) WHERE status < 2 AND isIncoming;
        """

    /// The last change of a group that is shown, and changes of messages that arrived before the messages.
    private static let revisions = """
        ALTER TABLE Users ADD COLUMN groupRevision INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE EarlyRevisions (
            messageId INTEGER PRIMARY KEY NOT NULL,
            revision INTEGER NOT NULL,
            content TEXT,
            changedAt INTEGER
        );
        """

    /// `contactId` is the other side of a conversation, so every query of a conversation is one range of one index.
    private static let first = """
        CREATE TABLE Users (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            avatarUrl TEXT NOT NULL,
            lastConnectedAt INTEGER
        );
        CREATE TABLE Messages (
            messageId INTEGER PRIMARY KEY NOT NULL,
            contactId TEXT NOT NULL REFERENCES Users(id),
            fromUserId TEXT NOT NULL REFERENCES Users(id),
            toUserId TEXT NOT NULL REFERENCES Users(id),
            content TEXT NOT NULL,
            status INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            requestId TEXT UNIQUE,
            revision INTEGER NOT NULL DEFAULT 0,
            isDeleted INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX MessagesByConversation ON Messages(contactId, messageId);
        CREATE INDEX MessagesUnread ON Messages(contactId, messageId) WHERE status < 2 AND fromUserId = contactId;
        CREATE TABLE MessageRequests (
            requestId TEXT PRIMARY KEY NOT NULL,
            toUserId TEXT NOT NULL REFERENCES Users(id),
            content TEXT NOT NULL,
            status INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            lastModifiedAt INTEGER NOT NULL,
            lastSentAt INTEGER,
            failCount INTEGER NOT NULL DEFAULT 0,
            notBefore REAL
        );
        CREATE INDEX MessageRequestsByConversation ON MessageRequests(toUserId, createdAt, requestId);
        CREATE UNIQUE INDEX MessageRequestsDraft ON MessageRequests(toUserId) WHERE status = 0;
        CREATE INDEX MessageRequestsPending ON MessageRequests(toUserId, createdAt) WHERE status IN (1, 2);
        CREATE TABLE MessageChanges (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            requestId TEXT UNIQUE NOT NULL,
            messageId INTEGER NOT NULL,
            content TEXT,
            previousContent TEXT NOT NULL,
            failCount INTEGER NOT NULL DEFAULT 0,
            notBefore REAL
        );
        CREATE INDEX MessageChangesByMessage ON MessageChanges(messageId, id);
        CREATE TABLE Receipts (
            messageId INTEGER PRIMARY KEY NOT NULL,
            status INTEGER NOT NULL,
            failCount INTEGER NOT NULL DEFAULT 0,
            notBefore REAL
        );
        CREATE TABLE EarlyReceipts (
            messageId INTEGER PRIMARY KEY NOT NULL,
            status INTEGER NOT NULL
        );
        CREATE TABLE SyncState (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            lastSyncedMessage INTEGER NOT NULL
        );
        INSERT INTO SyncState VALUES (1, 0);
        CREATE VIRTUAL TABLE MessageSearch USING fts5(
            content, content='Messages', content_rowid='messageId', tokenize='unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER MessagesInserted AFTER INSERT ON Messages BEGIN
            INSERT INTO MessageSearch(rowid, content) VALUES (new.messageId, new.content);
        END;
        CREATE TRIGGER MessagesDeleted AFTER DELETE ON Messages BEGIN
            INSERT INTO MessageSearch(MessageSearch, rowid, content) VALUES ('delete', old.messageId, old.content);
        END;
        CREATE TRIGGER MessagesChanged AFTER UPDATE OF content ON Messages BEGIN
            INSERT INTO MessageSearch(MessageSearch, rowid, content) VALUES ('delete', old.messageId, old.content);
            INSERT INTO MessageSearch(rowid, content) VALUES (new.messageId, new.content);
        END;
        """
}
