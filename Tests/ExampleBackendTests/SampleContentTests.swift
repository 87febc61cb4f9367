import Foundation
import GRDB
import Testing

@testable import ExampleBackend

/// What a new backend has, so that there is something to look at.
@Suite struct SampleContentTests {
    @Test(arguments: ["sea", "hills", "city", "garden", "peaks-4-0", "avatar-7", "", "12-0"])
    func `a sample image is small, and the same for a name`(name: String) {
        let image = SampleImage.png(seed: name, width: 1_080, height: 720)
        #expect(image.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
        #expect(image.count < 80_000)
        #expect(image == SampleImage.png(seed: name, width: 1_080, height: 720))
        #expect(image != SampleImage.png(seed: name + "-other", width: 1_080, height: 720))
        #expect(SampleScene(name).shapes.count < 192)
    }

    @Test func `no two of three thousand everyday posts say the same`() throws {
        var configuration = BackendConfiguration()
        configuration.corpus = .everyday
        let backend = try BackendServer(configuration)
        let contents = try backend.feed.database.queue.read { try String.fetchAll($0, sql: "SELECT content FROM post") }
        #expect(contents.count == 3_000)
        #expect(Set(contents).count == contents.count)
        let sentences = contents.flatMap { $0.components(separatedBy: ". ") }
        let most = Dictionary(grouping: sentences, by: \.self).values.map(\.count).max() ?? 0
        #expect(most < 30)
    }

    @Test func `everyday posts are the same in every run, and have pictures of what they are about`() throws {
        var feeds: [[String]] = []
        for _ in 0..<2 {
            var configuration = BackendConfiguration()
            (configuration.corpus, configuration.corpusSize) = (.everyday, 300)
            let backend = try BackendServer(configuration)
            let rows = try backend.feed.database.queue.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT content, contentUrl, caption FROM post LEFT JOIN attachment ON postId = post.id
                        ORDER BY post.id DESC, attachment.id
                        """)
            }
            feeds.append(rows.map { "\($0["content"] ?? "") \($0["contentUrl"] ?? "") \($0["caption"] ?? "")" })
        }
        #expect(feeds[0] == feeds[1])
        #expect(Set(feeds[0]).count > 250)
        let pictures = feeds[0].filter { $0.contains("/cdn/images/") }
        #expect((60...250).contains(pictures.count))
        #expect(pictures.filter { $0.contains("seal") }.allSatisfy { $0.contains("/cdn/images/sea-") })
    }
}
