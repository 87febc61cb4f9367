import GRDB

/// Stories in tables of their own, as one lays out a database by the book: pages, stories, authors, media and tags.
///
/// Every statement is prepared once for each connection, and rows are read by their columns' places.
struct NormalizedStories {
    let pool: DatabasePool

    init(path: String) throws {
        pool = try DatabasePool(path: path)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, handle TEXT NOT NULL,
                      verified BOOLEAN NOT NULL);
                    CREATE TABLE story (id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author (id),
                      title TEXT NOT NULL, text TEXT NOT NULL, published DOUBLE NOT NULL, likes INTEGER NOT NULL,
                      comments INTEGER NOT NULL, pinned BOOLEAN NOT NULL);
                    CREATE INDEX story_author ON story (author);
                    CREATE TABLE medium (story INTEGER NOT NULL REFERENCES story (id) ON DELETE CASCADE,
                      place INTEGER NOT NULL, url TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
                      caption TEXT, PRIMARY KEY (story, place)) WITHOUT ROWID;
                    CREATE TABLE tag (story INTEGER NOT NULL REFERENCES story (id) ON DELETE CASCADE,
                      place INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (story, place)) WITHOUT ROWID;
                    CREATE TABLE page (key TEXT NOT NULL, place INTEGER NOT NULL,
                      story INTEGER NOT NULL REFERENCES story (id), PRIMARY KEY (key, place)) WITHOUT ROWID;
                    CREATE INDEX page_story ON page (story);
                    """)
        }
    }

    func save(_ stories: [Story], as key: String) throws {
        try pool.write { db in
            let author = try db.cachedStatement(
                sql: """
                    INSERT INTO author VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = ?2, handle = ?3,
                    verified = ?4
                    """)
            let story = try db.cachedStatement(
                sql: """
                    INSERT INTO story VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET author = ?2,
                    title = ?3, text = ?4, published = ?5, likes = ?6, comments = ?7, pinned = ?8
                    """)
            let noMedia = try db.cachedStatement(sql: "DELETE FROM medium WHERE story = ?")
            let noTags = try db.cachedStatement(sql: "DELETE FROM tag WHERE story = ?")
            let medium = try db.cachedStatement(sql: "INSERT INTO medium VALUES (?, ?, ?, ?, ?, ?)")
            let tag = try db.cachedStatement(sql: "INSERT INTO tag VALUES (?, ?, ?)")
            let place = try db.cachedStatement(sql: "INSERT INTO page VALUES (?, ?, ?)")
            try db.cachedStatement(sql: "DELETE FROM page WHERE key = ?").execute(arguments: [key])
            for (index, item) in stories.enumerated() {
                let by = item.author
                try author.execute(arguments: [by.id, by.name, by.handle, by.isVerified])
                try story.execute(arguments: [
                    item.id, by.id, item.title, item.text, item.published, item.likes, item.comments, item.isPinned,
                ])
                try noMedia.execute(arguments: [item.id])
                try noTags.execute(arguments: [item.id])
                for (number, one) in item.media.enumerated() {
                    try medium.execute(arguments: [item.id, number, one.url, one.width, one.height, one.caption])
                }
                for (number, name) in item.tags.enumerated() { try tag.execute(arguments: [item.id, number, name]) }
                try place.execute(arguments: [key, index, item.id])
            }
        }
    }

    func load(_ key: String) throws -> [Story] {
        try pool.read { db in
            var stories: [Story] = []
            var places: [Int: Int] = [:]
            let rows = try Row.fetchCursor(
                try db.cachedStatement(
                    sql: """
                        SELECT story.id, title, text, published, likes, comments, pinned, author.id, author.name,
                        author.handle, author.verified FROM page JOIN story ON story.id = page.story
                        JOIN author ON author.id = story.author WHERE page.key = ? ORDER BY page.place
                        """), arguments: [key])
            while let row = try rows.next() {
                let author = Story.Author(id: row[7], name: row[8], handle: row[9], isVerified: row[10])
                let story = Story(
                    id: row[0], title: row[1], text: row[2], published: row[3], likes: row[4], comments: row[5],
                    isPinned: row[6], author: author, media: [], tags: [])
                places[story.id] = stories.count
                stories.append(story)
            }
            let media = try Row.fetchCursor(
                try db.cachedStatement(
                    sql: """
                        SELECT medium.story, url, width, height, caption FROM page JOIN medium ON
                        medium.story = page.story WHERE page.key = ? ORDER BY page.place, medium.place
                        """), arguments: [key])
            while let row = try media.next() {
                guard let place = places[row[0]] else { continue }
                stories[place].media.append(Story.Medium(url: row[1], width: row[2], height: row[3], caption: row[4]))
            }
            let tags = try Row.fetchCursor(
                try db.cachedStatement(
                    sql: """
                        SELECT tag.story, tag.name FROM page JOIN tag ON tag.story = page.story WHERE page.key = ?
                        ORDER BY page.place, tag.place
                        """), arguments: [key])
            while let row = try tags.next() {
                guard let place = places[row[0]] else { continue }
                stories[place].tags.append(row[1])
            }
            return stories
        }
    }
}
