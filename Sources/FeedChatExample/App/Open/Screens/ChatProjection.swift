import AppFoundation
import ChatClient
import ChatWire

/// Converts the chat's states to rows and JSON for the page.
enum ChatProjection {
    // MARK: The list of chats

    static func rows(_ state: ChatListState, info: (String) -> ContactInfo?) -> [AppRow] {
        let chats = state.conversations.map { AppRow(id: "u\($0.id)", content: .chat($0, info($0.id))) }
        let known = Set(state.conversations.map(\.id))
        return chats
            + (state.groups + state.contacts).filter { !known.contains($0.id) }.map { user in
                AppRow(id: "u\(user.id)", content: .contact(user))
            }
    }

    static func state(_ state: ChatListState) -> AppJSON {
        .members([
            "unread": .int(Int64(state.unreadCount)), "offline": .bool(!state.isLive),
            "signedOut": .bool(state.isSignedOut), "warning": state.warning.map { .string($0.text) },
            "error": state.errorMessage.map { .string($0) },
            "contacts": .array(
                (state.groups + state.contacts).map { user in
                    .members([
                        "conversation": .string(user.id), "name": .string(user.name), "group": .bool(user.isGroup),
                        "avatar": mediaAddress(user.avatarUrl, width: 480),
                    ])
                }),
        ])
    }

    // MARK: A conversation

    static func rows(
        _ state: ConversationState, user: String, _ texts: AppTexts = AppTexts(),
        actions: (TimelineRow) -> [MessageAction]
    ) -> [AppRow] {
        if state.isLoading { return AppRow.placeholders("message") }
        var rows: [AppRow] = []
        if state.isLoadingOlder { rows.append(.footer(.loading, edge: .before)) }
        for row in state.conversation.messages {
            switch row {
            case .message(let message):
                if message.messageId == state.unreadMarker {
                    rows.append(AppRow(id: "unread", content: .separator(texts.notReadYet)))
                }
                rows.append(
                    AppRow(id: id(of: message), content: .message(message, place(message, state, user, actions(row)))))
            case .waiting(let request): rows.append(AppRow(id: "r\(request.requestId)", content: .waiting(request)))
            case .gap: rows.append(AppRow(id: "gap", content: .gap))
            case .missing(let before): rows.append(AppRow(id: "missing\(before)", content: .gap))
            }
        }
        return rows
    }

    /// A message keeps the row that it had as a waiting request.
    private static func id(of message: Message) -> String {
        message.requestId.map { "r\($0)" } ?? "m\(message.messageId)"
    }

    private static func place(
        _ message: Message, _ state: ConversationState, _ user: String, _ actions: [MessageAction]
    ) -> AppRowContent.MessagePlace {
        let isMine = message.fromUserId == user
        let author = state.group.map { group in
            group.members.first { $0.userId == message.fromUserId }?.name ?? message.fromUserId
        }
        return AppRowContent.MessagePlace(isMine: isMine, author: isMine ? nil : author, actions: actions)
    }

    static func state(_ state: ConversationState, _ texts: AppTexts) -> AppJSON {
        let (contact, info) = (state.conversation.contact, state.conversation.contactInfo)
        return .members([
            "conversation": .string(contact.id), "name": .string(contact.name),
            "avatar": mediaAddress(contact.avatarUrl, width: 480), "group": .bool(contact.isGroup),
            "typing": typing(state, texts).map { .string($0) },
            "online": .bool(info?.onlineStatus ?? false),
            "seen": state.membersOnline > 0 ? .string(texts.areThere(state.membersOnline)) : nil,
            "live": .bool(state.isLive), "offline": .bool(!state.isLive), "draft": .string(state.draft),
            "newBelow": .int(Int64(state.newBelow)), "signedOut": .bool(state.isSignedOut),
            "canWrite": .bool(state.canWrite),
            "focus": state.focus.flatMap { row(of: $0, state) }.map { .string($0) },
            "suggestions": .array(
                state.mentionSuggestions.map { ["id": .string($0.userId), "name": .string($0.name)] }),
            "edits": state.edits.flatMap { edits in
                row(of: edits.messageId, state).map { row in
                    [
                        "row": .string(row),
                        "texts": .array(
                            edits.texts.map { text in
                                .members(["text": .string(text.content), "time": text.replacedAt.map { .time($0) }])
                            }),
                    ]
                }
            },
            "error": state.errorMessage.map { .string($0) },
        ])
    }

    /// Returns a sentence that names who is typing.
    private static func typing(_ state: ConversationState, _ texts: AppTexts) -> String? {
        guard state.conversation.contactInfo?.typing == true else { return nil }
        guard state.group != nil else { return texts.isTyping }
        return state.typists.count == 1 ? texts.isTyping(state.typists[0]) : texts.areTyping(state.typists.count)
    }

    /// Returns the row id of a message.
    private static func row(of id: Int64, _ state: ConversationState) -> String? {
        for case .message(let message) in state.conversation.messages where message.messageId == id {
            return Self.id(of: message)
        }
        return nil
    }

    // MARK: Search and groups

    static func rows(_ state: ChatClient.SearchState) -> [AppRow] {
        state.hits.map { AppRow(id: "m\($0.id)", content: .chatHit($0)) }
    }

    static func state(_ state: ChatClient.SearchState, _ texts: AppTexts) -> AppJSON {
        .members([
            "text": .string(state.text), "refreshing": .bool(state.isSearching),
            "empty": state.isNothingFound ? .string(texts.nothingFound) : nil,
            "error": state.errorMessage.map { .string($0) },
        ])
    }

    static func state(_ state: GroupState, user: AppSession.User) -> AppJSON {
        .members([
            "name": .string(state.title), "canManage": .bool(state.canRename), "refreshing": .bool(state.isChanging),
            "members": .array(
                state.rows.map { row in
                    .members([
                        "id": .string(row.id), "name": .string(row.member.name),
                        "avatar": mediaAddress(row.id == user.id ? user.imagePath : row.avatarUrl, width: 480),
                        "role": .string(row.member.role.rawValue),
                        "me": .bool(row.id == user.id), "actions": .array(row.actions.map { .string("\($0)") }),
                    ])
                }),
            "roles": .array(GroupRole.allCases.map { .string($0.rawValue) }),
            "contacts": .array(
                state.addable.map { user in
                    .members([
                        "id": .string(user.id), "name": .string(user.name),
                        "avatar": mediaAddress(user.avatarUrl, width: 480),
                    ])
                }), "error": state.errorMessage.map { .string($0) },
        ])
    }
}
