package import AppFoundation
import GRDB

/// The tables of the signed-in user's feed. Posts are only in the page store.
package enum FeedSchema {
    package static let migrations: [AppDatabase.Migration] = [
        AppDatabase.Migration("feed") { db in
            try db.execute(
                sql: """
                    CREATE TABLE Metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    INSERT INTO Metadata VALUES ('databaseID', lower(hex(randomblob(8))));
                    CREATE TABLE UserInteractions (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, postId INTEGER NOT NULL, userId TEXT NOT NULL,
                        action TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'pending', createdAt DATETIME NOT NULL,
                        updatedAt DATETIME NOT NULL, failureCount INTEGER NOT NULL DEFAULT 0);
                    CREATE INDEX UserInteractionsByPost ON UserInteractions (postId, id) WHERE status != 'canceled';
                    CREATE TABLE PostRequests (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL DEFAULT 'posts',
                        requestId TEXT NOT NULL UNIQUE, content TEXT NOT NULL, attachments TEXT NOT NULL,
                        state TEXT NOT NULL DEFAULT 'pending', attempts INTEGER NOT NULL DEFAULT 0,
                        nextAttempt DATETIME, createdAt DATETIME NOT NULL, failure TEXT);
                    CREATE INDEX PostRequestsByLane ON PostRequests (lane, id) WHERE state IN ('pending', 'failed');
                    CREATE TABLE CommentRequests (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, requestId TEXT NOT NULL UNIQUE, postId INTEGER NOT NULL,
                        content TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'pending', createdAt DATETIME NOT NULL,
                        failureCount INTEGER NOT NULL DEFAULT 0);
                    CREATE INDEX CommentRequestsByPost ON CommentRequests (postId, id) WHERE status != 'canceled';
                    CREATE TABLE Drafts (
                        postId INTEGER PRIMARY KEY, content TEXT NOT NULL, baseVersion INTEGER NOT NULL,
                        serverContent TEXT, serverVersion INTEGER, updatedAt DATETIME NOT NULL);
                    CREATE VIRTUAL TABLE PostIndex USING fts5 (summary, author);
                    """)
        },
        AppDatabase.Migration("replies") { db in
            try db.execute(sql: "ALTER TABLE CommentRequests ADD COLUMN parentId INTEGER")
        },
        AppDatabase.Migration("scheduled") { db in
            try db.execute(sql: "ALTER TABLE PostRequests ADD COLUMN publishAt DATETIME")
        },
        AppDatabase.Migration("batches") { db in
            try db.execute(
                sql: """
                    CREATE INDEX UserInteractionsByUser ON UserInteractions (userId, id)
                    WHERE status IN ('pending', 'failed')
                    """)
        },
        AppDatabase.Migration("shares") { db in
            try db.execute(sql: "ALTER TABLE UserInteractions ADD COLUMN shareCount INTEGER")
        },
        AppDatabase.Migration("faces") { db in
            // Seen posts are indexed again when they are seen again; until then the server finds them.
            try db.execute(
                sql: """
                    DROP TABLE PostIndex;
                    CREATE VIRTUAL TABLE PostIndex USING fts5 (summary, author, authorImage UNINDEXED);
                    """)
        },
    ]
}
