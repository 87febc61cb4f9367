import AppFoundation
import ChatClient
import ChatWire
import FeedClient
import Foundation
import RichText
import Testing

@testable import FeedChatExample

/// What the page is told of models.
@Suite struct ProjectionTests {
    private func message(_ id: Int64, from user: String, request: String? = nil, isDeleted: Bool = false) -> Message {
        Message(
            messageId: id, fromUserId: user, toUserId: "2", content: "Hi <b>", status: .delivered, createdAt: 1_000,
            requestId: request, isDeleted: isDeleted)
    }

    private func state(_ rows: [TimelineRow]) -> ConversationState {
        var state = ConversationState(contact: User(id: "2", name: "Grace"))
        state.isLoading = false
        state.conversation.messages = rows
        return state
    }

    @Test func `a rich text is runs, and never HTML`() {
        let text = RichText(html: "<p>A <b>bold</b> <script>alert(1)</script><a href='javascript:x'>l</a></p><p>B</p>")
        guard case .array(let runs) = AppJSON.runs(text) else {
            Issue.record("no runs")
            return
        }
        #expect(runs.contains(["s": "bold", "b": true]))
        #expect(runs.contains(["s": "\n\n"]))
        #expect(!runs.contains { $0["a"] != nil || ($0["s"]?.string ?? "").contains("alert") })
    }

    @Test func `a message stays the row that it was while it waited`() {
        let waiting = MessageRequest(requestId: "q", toUserId: "2", content: "Hi", status: .pending, createdAt: 1)
        let before = ChatProjection.rows(state([.waiting(waiting)]), user: "1") { _ in [] }
        let after = ChatProjection.rows(state([.message(message(7, from: "1", request: "q"))]), user: "1") { _ in [] }
        #expect(before.map(\.id) == ["rq"])
        #expect(after.map(\.id) == ["rq"])
        #expect(before.first?.json["status"] == "sending")
        #expect(after.first?.json["status"] == "delivered")
        #expect(after.first?.json["mine"] == true)
    }

    @Test func `how far a message has come is told to its author only`() {
        let rows = ChatProjection.rows(state([.message(message(7, from: "2"))]), user: "1") { _ in [] }
        #expect(rows.first?.json["status"] == nil)
        #expect(rows.first?.json["text"] == [["s": "Hi <b>"]])
    }

    @Test func `a line stands above the first message that was not read`() {
        var state = state([.message(message(7, from: "2")), .message(message(8, from: "2"))])
        state.unreadMarker = 8
        #expect(ChatProjection.rows(state, user: "1") { _ in [] }.map(\.id) == ["m7", "unread", "m8"])
    }

    @Test func `rows are made once between two changes`() {
        var (kept, made) = (RowCache(), 0)
        func look() -> Int? {
            kept.rows(of: 3) {
                made += 1
                return AppRow.placeholders("post", count: made)
            }?.count
        }
        #expect([look(), look()] == [1, 1])
        kept.forget(3)
        #expect([look(), look()] == [2, 2])
    }

    @Test func `a chat speaks the user's language`() {
        var conversation = state([.message(message(7, from: "2"))])
        conversation.unreadMarker = 7
        conversation.conversation.contactInfo = ContactInfo(onlineStatus: true, typing: true)
        let texts = AppTexts(.arabic)
        #expect(ChatProjection.state(conversation, texts)["typing"] == "يكتب…")
        conversation.group = ChatGroup(id: "2", title: "Picnic", members: [], revision: 1)
        conversation.typists = ["Bob"]
        conversation.membersOnline = 3
        #expect(ChatProjection.state(conversation, texts)["typing"] == "Bob يكتب…")
        #expect(ChatProjection.state(conversation, AppTexts())["seen"] == "3 online")
        conversation.typists = ["Bob", "Cleo"]
        #expect(ChatProjection.state(conversation, AppTexts())["typing"] == "2 are typing…")
        let rows = ChatProjection.rows(conversation, user: "1", texts) { _ in [] }
        #expect(rows.first?.json["text"] == "لم تُقرأ بعد")
    }

    @Test func `only media of the backend have an address`() {
        #expect(mediaAddress("/cdn/images/sea", width: 480) == "/media/cdn/images/sea?w=480")
        for path in [nil, "", "http://evil.example/x", "/cdn/../etc", "//evil.example/cdn/", "/cdn/x?y"] {
            #expect(mediaAddress(path, width: 480) == nil)
        }
    }

    @Test func `what the text field says replaces what differs, and styles stay`() {
        var draft = RichTextDraft(RichText(html: "<p>one <b>two</b> three</p>"))
        draft.replace(with: "one two and three")
        #expect(draft.text == "one two and three")
        #expect(draft.has(.bold, in: 4..<7))
        draft.replace(with: "")
        #expect(draft.text.isEmpty)
    }

    @Test func `switches stay within what a network can be`() {
        var network = NetworkSwitches()
        network.take(["latency": -5, "loss": 7, "status": 418, "offline": true, "backend": "down"])
        #expect(network.message["latency"] == 0)
        #expect(network.message["loss"] == .double(1))
        #expect(network.message["status"] == 0)
        #expect(network.isOffline && !network.isBackendUp)
        // What one app says to the others is not whether it is offline itself.
        #expect(network.weather["offline"] == nil)
    }
}
