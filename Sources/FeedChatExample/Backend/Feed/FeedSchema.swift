import GRDB

extension DatabaseMigrator {
    /// The feed's tables. A deleted post leaves its row, so that its request id stays known.
    static var feed: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("feed") { db in
            try db.execute(
                sql: """
                    CREATE TABLE post (
                        id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL, requestId TEXT NOT NULL,
                        rank INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1, content TEXT NOT NULL,
                        summary TEXT NOT NULL, createdAt INTEGER NOT NULL, isDeleted INTEGER NOT NULL DEFAULT 0,
                        likeCount INTEGER NOT NULL DEFAULT 0, shareCount INTEGER NOT NULL DEFAULT 0,
                        commentCount INTEGER NOT NULL DEFAULT 0, UNIQUE (authorId, requestId));
                    CREATE UNIQUE INDEX postByRank ON post (rank) WHERE isDeleted = 0;
                    CREATE INDEX postByAuthor ON post (authorId, rank) WHERE isDeleted = 0;
                    CREATE TABLE attachment (
                        id INTEGER PRIMARY KEY, postId INTEGER NOT NULL, type TEXT NOT NULL, contentUrl TEXT NOT NULL,
                        previewImageUrl TEXT, caption TEXT);
                    CREATE INDEX attachmentByPost ON attachment (postId);
                    CREATE TABLE postLike (postId INTEGER, userId INTEGER, PRIMARY KEY (postId, userId)) WITHOUT ROWID;
                    CREATE TABLE bookmark (postId INTEGER, userId INTEGER, PRIMARY KEY (postId, userId)) WITHOUT ROWID;
                    CREATE TABLE interaction (
                        userId INTEGER NOT NULL, requestId TEXT NOT NULL, postId INTEGER NOT NULL, type TEXT NOT NULL,
                        repetitions INTEGER NOT NULL DEFAULT 0, sequence INTEGER NOT NULL,
                        PRIMARY KEY (userId, requestId)) WITHOUT ROWID;
                    CREATE TABLE comment (
                        id INTEGER PRIMARY KEY, postId INTEGER NOT NULL, userId INTEGER NOT NULL,
                        requestId TEXT NOT NULL, content TEXT NOT NULL, createdAt INTEGER NOT NULL,
                        UNIQUE (userId, requestId));
                    CREATE INDEX commentByPost ON comment (postId, id);
                    CREATE TABLE upload (
                        id INTEGER PRIMARY KEY, userId INTEGER NOT NULL, requestId TEXT NOT NULL, type TEXT NOT NULL,
                        byteCount INTEGER NOT NULL, content BLOB NOT NULL, UNIQUE (userId, requestId));
                    CREATE VIRTUAL TABLE postText USING fts5 (summary, content = 'post', content_rowid = 'id');
                    CREATE TRIGGER postTextAdd AFTER INSERT ON post BEGIN
                        INSERT INTO postText (rowid, summary) VALUES (new.id, new.summary);
                    END;
                    CREATE TRIGGER postTextChange AFTER UPDATE OF summary ON post BEGIN
                        INSERT INTO postText (postText, rowid, summary) VALUES ('delete', old.id, old.summary);
                        INSERT INTO postText (rowid, summary) VALUES (new.id, new.summary);
                    END;
                    """)
        }
        migrator.registerMigration("events") { db in
            try db.execute(
                sql: "CREATE TABLE postEvent (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, postId INTEGER NOT NULL)")
        }
        migrator.registerMigration("scheduled") { db in
            try db.execute(
                sql: """
                    CREATE TABLE scheduledPost (
                        id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL, requestId TEXT NOT NULL, post TEXT NOT NULL,
                        publishAt INTEGER NOT NULL, UNIQUE (authorId, requestId));
                    CREATE INDEX scheduledPostByTime ON scheduledPost (publishAt);
                    """)
        }
        migrator.registerMigration("profiles") { db in
            try db.execute(
                sql: "CREATE TABLE profile (userId INTEGER PRIMARY KEY, about TEXT NOT NULL, version INTEGER NOT NULL)")
        }
        migrator.registerMigration("uploadPaths") { db in
            // Earlier uploads keep their paths.
            try db.execute(
                sql: """
                    ALTER TABLE upload ADD COLUMN path TEXT;
                    ALTER TABLE upload ADD COLUMN isNamed INTEGER NOT NULL DEFAULT 0;
                    UPDATE upload SET path = '/cdn/uploads/' || id, isNamed = 1;
                    CREATE UNIQUE INDEX uploadByPath ON upload (path);
                    CREATE INDEX uploadUnnamed ON upload (id) WHERE isNamed = 0;
                    """)
        }
        migrator.registerMigration("cancelled") { db in
            try db.execute(sql: "ALTER TABLE scheduledPost ADD COLUMN isCancelled INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("replies") { db in
            try db.execute(
                sql: """
                    ALTER TABLE comment ADD COLUMN parentId INTEGER;
                    CREATE INDEX commentByParent ON comment (parentId, id) WHERE parentId IS NOT NULL;
                    """)
        }
        migrator.registerMigration("eventDevices") { db in
            try db.execute(sql: "ALTER TABLE postEvent ADD COLUMN device TEXT")
        }
        return migrator
    }
}
