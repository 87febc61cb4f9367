// The three moods of a double: scripted, recording, unimplemented.
import PaginatorCore
import PaginatorTesting

let scripted = ScriptedPaginator<String>()
scripted.script([.page(PaginatorPage(content: ["hello"], key: "0")), .hang], forKey: "0")
scripted.script([.fail(PaginatorError(.offline, "No network."))])

let recording = RecordingDataSource(ArrayDataSource(["a", "b", "c"]))

let unimplemented = UnimplementedStore<String> { message, file, line in
    print("\(file):\(line): \(message)")
}

let paginator = CallbackPaginator(dataSource: recording, store: unimplemented)
let listener = RecordingListener<String>()
paginator.fetch(PageRequest(key: "0", pageSize: 2, policy: .networkOnly), listener: listener)
_ = try await listener.waitForEnd()
print(listener.page?.content ?? [], recording.keys)
