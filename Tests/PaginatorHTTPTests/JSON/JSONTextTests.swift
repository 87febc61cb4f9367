import Foundation
import Testing

@testable import PaginatorHTTP

/// Texts in the bodies that are sent.
struct JSONTextTests {
    private struct Sent: Decodable {
        struct Query: Decodable { var text: String }
        var query: Query
    }

    @Test(arguments: [
        "two\nlines", "two\r\nlines\tand a tab", "\"quoted\" \\ and /", "\u{0}\u{1}\u{8}\u{1f}\u{7f}",
        "é e\u{301} 😀 \u{2028}",
    ])
    func `a text that is set in a body arrives as it is, whatever it contains`(_ text: String) throws {
        var options = HTTPSourceOptions()
        options.prepare = { $0.set(.body("query.text"), to: text) }
        let source = HTTPDataSource<Row>(.search("https://h/x"), style: .pageNumber(), options: options)
        let body = try #require(try source.request().body)
        // The system's decoder reads it as a server would.
        let sent = try JSONDecoder().decode(Sent.self, from: body)
        #expect(Array(sent.query.text.utf8) == Array(text.utf8))
    }
}
