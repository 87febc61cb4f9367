import PaginatorCore

let identity = PageIdentity(key: "cursor-2", pageSize: 30, scope: "feed")
let page = PaginatorPage(content: [1, 2, 3], key: identity.key, nextKey: "cursor-3")
print(identity, page.content, page.nextKey ?? "the end")
print("one package: ok")
