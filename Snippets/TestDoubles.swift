// What doubles do: as they are told, as a real one does, or nothing at all but report that they were called.
import PaginatorCore
import PaginatorTesting

let scripted = ScriptedPaginator<String>()
scripted.script([.page(PaginatorPage(content: ["hello"], key: "0")), .hang], forKey: "0")
scripted.script([.fail(PaginatorError(.offline, "No network."))])

let recording = ScriptedDataSource(recording: ArrayDataSource(["a", "b", "c"]))

let unexpected = ScriptedPaginator<String> { message, file, line in
    print("\(file):\(line): \(message)")
}
unexpected.fetch(PageRequest(key: "0", pageSize: 2), listener: PaginatorFetchListener())

let paginator = CallbackPaginator(dataSource: recording)
let listener = RecordingListener<String>()
paginator.fetch(PageRequest(key: "0", pageSize: 2, policy: .networkOnly), listener: listener)
_ = try await listener.waitForEnd()
print(listener.page?.content ?? [], recording.keys)
