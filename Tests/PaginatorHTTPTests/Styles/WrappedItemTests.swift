import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// Items inside of the elements of a list, where both the item and the element around it may have a field of a name.
struct WrappedItemTests {
    private func source(_ style: HTTPStyle, itemID: String? = nil) -> HTTPDataSource<Data> {
        var options = HTTPSourceOptions()
        options.itemID = itemID
        options.tags = { response throws(HTTPSourceError) in
            var tags: [String] = []
            for item in 0..<response.itemCount {
                if let id = try response.text(of: "id", ofItem: item) { tags.append("post \(id)") }
            }
            return tags
        }
        return HTTPDataSource<Data>("https://h/", items: "data[].post", style: style, options: options) { $0 }
    }

    private func body(_ elements: String...) -> String { "{\"data\": [\(elements.joined(separator: ","))]}" }

    @Test(arguments: [#""id": 1,"#, #""id": null,"#, ""])
    func `tags and IDs are those of the items, whatever the elements around them have`(_ around: String) throws {
        let source = source(.offset(), itemID: "id")
        func element(_ id: Int) -> String { #"{\#(around) "post": {"id": \#(id)}}"# }
        #expect(try source.read(body(element(7), element(8))).get().tags == ["post 7", "post 8"])
        let error = source.read(body(element(7), element(7))).httpError
        #expect(error?.code == .duplicateID && error?.field == "data[1].post.id")
    }

    @Test(arguments: ["{}", #"{"id": null}"#])
    func `an item without an ID has that of the element around it`(_ post: String) throws {
        let source = source(.offset(), itemID: "id")
        func element(_ id: Int) -> String { #"{"id": \#(id), "post": \#(post)}"# }
        #expect(try source.read(body(element(7), element(8))).get().tags == ["post 7", "post 8"])
        let error = source.read(body(element(7), element(7))).httpError
        #expect(error?.code == .duplicateID && error?.field == "data[1].id")
    }

    @Test func `an item's own ID and one around another item are two`() throws {
        let source = source(.offset(), itemID: "id")
        let page = try source.read(body(#"{"id": 7, "post": {}}"#, #"{"id": 9, "post": {"id": 7}}"#)).get()
        #expect(page.content.count == 2)
    }

    @Test func `a text of a wrong type is named where it is`() {
        #expect(source(.offset()).read(body(#"{"post": {"id": true}}"#)).httpError?.field == "data[0].post.id")
        #expect(source(.offset()).read(body(#"{"id": [], "post": {}}"#)).httpError?.field == "data[0].id")
    }

    @Test func `the next page is after the last item, and not after the element around it`() throws {
        let elements = [#"{"id": 1, "post": {"id": 7}}"#, #"{"id": 2, "post": {"id": 8}}"#]
        #expect(try source(.lastItem("after")).read(body(elements[0], elements[1])).get().nextKey == "nextjson:8")
        let error = source(.lastItem("after")).read(body(elements[0], #"{"post": {}}"#)).httpError
        #expect(error?.code == .missingField && error?.field == "data[1].post.id")
    }

    @Test func `the fields that the server sorts by are those around an item, and else its own`() throws {
        let source = source(.keyset(["id": "after"]))
        let first = #"{"post": {}}"#
        #expect(try source.read(body(first, #"{"id": 2, "post": {"id": 8}}"#)).get().nextKey == "nextjson:2")
        #expect(try source.read(body(first, #"{"id": null, "post": {"id": 8}}"#)).get().nextKey == "nextjson:8")
        #expect(source.read(body(first, first)).httpError?.field == "data[1].id")
    }
}
