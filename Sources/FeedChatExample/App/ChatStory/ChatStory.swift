import FeedSoak
import Foundation

/// The chat's story: two clients and the backend, each in its own process, and chapters that show what they do.
@MainActor struct ChatStory {
    let transcript: Transcript
    let root: URL
    let executable = URL(filePath: CommandLine.arguments[0])

    /// Runs every chapter.
    static func tell(_ transcript: Transcript) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "chat-story-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try await ChatStory(transcript: transcript, root: root).tell()
        try FileManager.default.removeItem(at: root)
    }

    private func tell() async throws {
        transcript.begin("Ann and Bob, and the backend, each in a process of its own")
        let (first, url) = try await backend(port: 0)
        let bob = try await client("bob", url, signIn: "Bob")
        let ann = try await client("ann", url, signIn: "Ann")
        _ = try await bob.ask("contact Ann")
        _ = try await ann.ask("contact Bob")
        transcript.note("backend \(first.identifier) at \(url), Ann \(ann.identifier), Bob \(bob.identifier)")

        try await transcript.limit { try await page(ann, bob) }
        try await transcript.limit { try await typeAndRead(ann, bob) }
        try await transcript.limit { try await find(ann) }
        try await transcript.limit { try await writeOffline(ann, bob) }
        let (second, again) = try await transcript.limit { try await kill(first, url, ann, bob) }
        try await transcript.limit { try await agree(again, bob) }
        try await transcript.limit { try await sendMedia(again, bob) }
        try await transcript.limit { try await delete(again, bob) }
        try await transcript.limit { try await group(again, bob, url) }
        try await again.quit()
        try await bob.quit()
        await second.kill()
    }

    private func page(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Bob wrote a hundred messages while Ann was away; she opens the chat")
        _ = try await ann.ask("offline")
        _ = try await bob.ask("flood 100 while-away")
        _ = try await bob.ask("until sent")
        _ = try await ann.ask("online")
        _ = try await ann.ask("until messages 100")
        try await show(ann, "chats")
        _ = try await ann.ask("open")
        transcript.verify(try await ann.ask("rows"), equals: "30", "it opens at the first unread message, with a page")
        try await show(ann, "frame")
        var rows: [String] = []
        for _ in 0..<3 { rows.append(try await ann.ask("newer") ?? "") }
        transcript.verify(rows, equals: ["60", "90", "100"], "page by page it grows, from the device's own database")
        transcript.verify(try await ann.ask("older"), equals: "100", "and nothing is older")
    }

    private func typeAndRead(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Ann reads, Bob is typing")
        _ = try await ann.ask("read")
        transcript.verify(
            try await bob.ask("until read"), equals: "done", "Bob sees that all hundred were delivered and read")
        _ = try await ann.ask("until live")
        _ = try await bob.ask("until live")
        _ = try await bob.ask("type Shall we")
        _ = try await ann.ask("until typing")
        try await show(ann, "frame")
        transcript.verify(
            try await ann.ask("frame")?.contains("typing…") == true, "Ann sees that he is typing, while he is")
        _ = try await bob.ask("send Shall we meet at nine?")
        _ = try await ann.ask("until messages 101")
        _ = try await ann.ask("read")
        transcript.verify(try await bob.ask("until read"), equals: "done", "the message came, was delivered and read")
        _ = try await bob.ask("edit Shall we meet at ten?")
        _ = try await ann.ask("until edited")
        _ = try await ann.ask("open")
        _ = try await ann.ask("edits")
        try await show(ann, "frame")
        let frame = try await ann.ask("frame") ?? ""
        transcript.verify(
            frame.contains("ten? (edited)") && frame.contains("before: Shall we meet at nine?"),
            "Bob thought again, and Ann sees what he had written before", found: frame)
    }

    private func find(_ ann: ClientProcess) async throws {
        transcript.begin("Ann looks for a message among all, and follows the link to it")
        let answer = try await ann.ask("find away 42") ?? ""
        let parts = answer.split(separator: " ").map(String.init)
        transcript.verify(parts.first ?? "", equals: "1", "one message has both words")
        _ = try await ann.ask("link \(parts.last ?? "")")
        try await show(ann, "frame")
        transcript.verify(
            try await ann.ask("frame")?.contains("while-away 42") == true,
            "the conversation opens there, with what is around it")
        transcript.verify(
            try await ann.ask("link paginator-example://chats/nobody"), equals: "none", "nobody has that id")
        _ = try await ann.ask("open")
    }

    private func writeOffline(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Ann writes without a connection")
        _ = try await ann.ask("offline")
        _ = try await ann.ask("flood 5 tunnel")
        let frame = try await ann.ask("frame") ?? ""
        transcript.verify(
            frame.components(separatedBy: "…|").count > 4 || frame.hasSuffix("…"), "her messages show, as waiting",
            found: frame)
        try await show(ann, "frame")
        _ = try await ann.ask("online")
        _ = try await bob.ask("until messages 106")
        _ = try await ann.ask("until sent")
        transcript.verify(
            try await contents(bob).suffix(5), equals: (1...5).map { "tunnel \($0)" }[...],
            "they went out in order when the connection was back")
    }

    private func kill(
        _ backend: ClientProcess, _ url: URL, _ ann: ClientProcess, _ bob: ClientProcess
    ) async throws -> (ClientProcess, ClientProcess) {
        transcript.begin("The backend is killed while both write, and then Ann's phone kills the app")
        async let fromBob = bob.ask("flood 20 bob")
        async let fromAnn = ann.ask("flood 20 ann")
        await backend.kill()
        _ = try await (fromBob, fromAnn)
        _ = try await ann.ask("send written before the kill")
        await ann.kill()
        transcript.note("SIGKILL for backend \(backend.identifier) and for Ann's client \(ann.identifier)")
        let (second, _) = try await self.backend(port: url.port ?? 0)
        let again = try await client("ann", url)
        _ = try await again.ask("contact Bob")
        var answers: [String?] = []
        for client in [again, bob] {
            _ = try await client.ask("until sent")
            answers.append(try await client.ask("until messages 147"))
        }
        transcript.verify(answers, equals: ["done", "done"], "both were started again, and every message arrived")
        return (second, again)
    }

    private func agree(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Both ends")
        for (one, other) in [(ann, bob), (bob, ann)] {
            _ = try await one.ask("read")
            _ = try await other.ask("until read")
        }
        let (left, right) = (try await ann.ask("digest") ?? "", try await bob.ask("digest") ?? "none")
        transcript.verify(left == right, "Ann and Bob have the same history: ids, order, texts, receipts")
        let contents = try await contents(ann)
        transcript.verify(contents.count, equals: 147, "no message is missing, none is there twice")
        for name in ["while-away", "tunnel", "bob", "ann"] {
            let own = contents.filter { $0.hasPrefix(name + " ") }
            transcript.verify(own, equals: own.indices.map { "\(name) \($0 + 1)" }, "the order of writing: \(name)")
        }
        _ = try await ann.ask("open")
        try await show(ann, "frame")
    }

    private func sendMedia(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Bob sends a photo and a place, and Ann sees both small")
        _ = try await bob.ask("photo the sea")
        _ = try await bob.ask("place Marienplatz")
        _ = try await bob.ask("until sent")
        _ = try await ann.ask("until messages 149")
        _ = try await ann.ask("open")
        try await show(ann, "frame")
        let frame = try await ann.ask("frame") ?? ""
        transcript.verify(
            frame.contains("[Photo 480×320]") && frame.contains("[Place: Marienplatz]"),
            "the rows say what comes before any of it is loaded", found: frame)
        let sizes = try await ann.ask("pictures") ?? ""
        transcript.verify(
            sizes.split(separator: ",").count == 3 && !sizes.contains("[0") && !sizes.contains(" 0"),
            "the small images and Bob's picture come by the media loader", found: sizes)
        _ = try await ann.ask("read")
    }

    private func delete(_ ann: ClientProcess, _ bob: ClientProcess) async throws {
        transcript.begin("Ann deletes a message for both, one for herself, and the chat")
        for text in ["a typo", "a secret"] { _ = try await ann.ask("send \(text)") }
        _ = try await ann.ask("until sent")
        _ = try await bob.ask("until messages 151")
        _ = try await ann.ask("delete all")
        _ = try await bob.ask("until deleted")
        try await show(ann, "frame")
        _ = try await ann.ask("delete me")
        transcript.verify(
            try await (contents(ann).last, contents(bob).suffix(2)) == ("a typo", ["a typo", ""]),
            "deleted for both, a message is gone there too; deleted for herself, the rest of it is gone here only")
        _ = try await ann.ask("delete chat")
        transcript.verify(
            try await ann.ask("chats")?.contains("no chats yet") == true, "the chat is gone from Ann's list")
        transcript.verify(try await contents(bob).count, equals: 151, "and Bob has it still")
    }

    private func group(_ ann: ClientProcess, _ bob: ClientProcess, _ url: URL) async throws {
        transcript.begin("Ann makes a group with Bob and Cleo, and names one of them")
        let cleo = try await client("cleo", url, signIn: "Cleo")
        _ = try await ann.ask("contact Cleo")
        let group = try await ann.ask("group Picnic Bob Cleo") ?? ""
        for client in [bob, cleo] {
            _ = try await client.ask("until group 1")
            _ = try await client.ask("join \(group)")
        }
        _ = try await cleo.ask("send I bring the cake")
        _ = try await bob.ask("until messages 1")
        _ = try await bob.ask("send @Ann and you?")
        for client in [ann, bob, cleo] { _ = try await client.ask("until messages 2") }
        try await show(ann, "chats")
        let chats = try await ann.ask("chats") ?? ""
        transcript.verify(
            chats.contains("Picnic") && chats.contains("@ (2)"), "Ann sees that she is named", found: chats)
        _ = try await ann.ask("open")
        try await show(ann, "frame")
        for client in [ann, cleo] { _ = try await client.ask("read") }
        transcript.verify(
            try await bob.ask("until read"), equals: "done", "Bob's message is read when both others have read it")
        let (one, other) = (try await contents(bob), try await contents(cleo))
        transcript.verify(one, equals: other, "all have the same messages in the same order")
        try await cleo.quit()
    }

    // MARK: Processes

    private func backend(port: Int) async throws -> (ClientProcess, URL) {
        let file = root.appending(path: "backend.sqlite").path
        let process = try ClientProcess(
            executable, ["backend", "--port", "\(port)", "--database", file, "--posts", "1"])
        let words = try await process.nextLine()?.split(separator: " ") ?? []
        guard let url = words.last.flatMap({ URL(string: String($0)) }) else { throw ClientProcessError.notReady }
        return (process, url)
    }

    private func client(_ folder: String, _ url: URL, signIn: String? = nil) async throws -> ClientProcess {
        var arguments = [
            "chat-client", "--url", url.absoluteString, "--root", root.appending(path: folder).path,
        ]
        if let signIn { arguments += ["--sign-in", signIn] }
        let process = try ClientProcess(executable, arguments)
        guard try await process.nextLine() == "ok ready" else { throw ClientProcessError.notReady }
        return process
    }

    private func contents(_ client: ClientProcess) async throws -> [String] {
        (try await client.ask("digest") ?? "").split(separator: "|").map { row in
            String(row.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false).last ?? "")
        }
    }

    private func show(_ client: ClientProcess, _ what: String) async throws {
        transcript.show((try await client.ask(what) ?? "").replacing("|", with: "\n"))
    }
}
