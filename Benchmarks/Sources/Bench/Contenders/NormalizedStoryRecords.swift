import GRDB

/// The tables of ``NormalizedStories`` read as GRDB's guide tells: records that are decodable, and associations.
///
/// Page and author are joined, media and tags come by a statement each for all stories of the page.
struct NormalizedStoryRecords {
    let pool: DatabasePool

    /// A story with what it is associated with.
    struct Info: Decodable, FetchableRecord {
        var story: StoryRow
        var writer: AuthorRow
        var media: [MediumRow]
        var tags: [TagRow]

        /// The same story as the others have it; not a part of what is measured.
        var value: Story {
            Story(
                id: story.id, title: story.title, text: story.text, published: story.published, likes: story.likes,
                comments: story.comments, isPinned: story.pinned,
                author: Story.Author(
                    id: writer.id, name: writer.name, handle: writer.handle, isVerified: writer.verified),
                media: media.map {
                    Story.Medium(url: $0.url, width: $0.width, height: $0.height, caption: $0.caption)
                },
                tags: tags.map(\.name))
        }
    }

    struct StoryRow: Decodable, FetchableRecord, TableRecord {
        static let databaseTableName = "story"
        static let places = hasMany(PlaceRow.self)
        // The table has a column named "author".
        static let writer = belongsTo(AuthorRow.self).forKey("writer")
        static let media = hasMany(MediumRow.self).forKey("media").order(Column("place"))
        static let tags = hasMany(TagRow.self).forKey("tags").order(Column("place"))

        var id: Int
        var title: String
        var text: String
        var published: Double
        var likes: Int
        var comments: Int
        var pinned: Bool
    }

    struct AuthorRow: Decodable, FetchableRecord, TableRecord {
        static let databaseTableName = "author"

        var id: Int
        var name: String
        var handle: String
        var verified: Bool
    }

    struct MediumRow: Decodable, FetchableRecord, TableRecord {
        static let databaseTableName = "medium"

        var url: String
        var width: Int
        var height: Int
        var caption: String?
    }

    struct TagRow: Decodable, FetchableRecord, TableRecord {
        static let databaseTableName = "tag"

        var name: String
    }

    struct PlaceRow: TableRecord {
        static let databaseTableName = "page"
    }

    func load(_ key: String) throws -> [Info] {
        let page = TableAlias()
        return try pool.read { db in
            try StoryRow
                .joining(required: StoryRow.places.aliased(page).filter(Column("key") == key))
                .including(required: StoryRow.writer)
                .including(all: StoryRow.media)
                .including(all: StoryRow.tags)
                .order(page[Column("place")])
                .asRequest(of: Info.self)
                .fetchAll(db)
        }
    }
}
