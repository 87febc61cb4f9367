import AppFoundation
import ChatClient
import ChatWire
import FeedClient
import Foundation
import RichText

extension AppRowContent {
    /// The JSON of a row for the page, without its id.
    var json: AppJSON {
        switch self {
        case .post(let post): Self.json(post)
        case .detail(let post, let text): Self.json(post, text)
        case .failedPost(let request, let text):
            [
                "kind": "post", "text": .runs(request.summary), "time": .time(request.createdAt),
                "failed": .string(text),
            ]
        case .comment(let comment, let place): Self.json(comment, place)
        case .failedComment(let request, let text):
            .members([
                "kind": "comment", "text": .runs(request.content), "time": .time(request.createdAt), "mine": true,
                "failed": .string(text), "parent": request.parentID.map { .string("c\($0)") },
            ])
        case .threadEnd(let comment, let footer):
            [
                "kind": "footer", "state": .string(footer.state.rawValue), "text": .string(footer.text),
                "parent": .string("c\(comment)"),
            ]
        case .hit(let hit):
            .members([
                "kind": "hit", "title": .string(hit.authorName), "text": .runs(hit.summary),
                "avatar": mediaAddress(hit.authorImagePath, width: 480),
                "open": ["kind": "post", "with": ["post": .string("p\(hit.id)")]],
            ])
        case .scheduled(let post):
            ["kind": "post", "text": .runs(post.summary), "publishAt": .time(post.publishAt)]
        case .waitingPost(let request):
            .members([
                "kind": "post", "text": .runs(request.summary), "publishAt": request.publishAt.map { .time($0) },
                "pending": true, "progress": .double(request.progress),
            ])
        case .chat(let preview, let info): Self.json(preview, info)
        case .contact(let user):
            .members([
                "kind": "chat", "contact": true, "conversation": .string(user.id), "name": .string(user.name),
                "avatar": mediaAddress(user.avatarUrl, width: 480), "group": .bool(user.isGroup),
            ])
        case .message(let message, let place): Self.json(message, place)
        case .waiting(let request): Self.json(request)
        case .chatHit(let hit): Self.json(hit)
        case .gap: ["kind": "gap", "state": "loading"]
        case .separator(let text): ["kind": "separator", "text": .string(text)]
        case .placeholder(let like): ["kind": "placeholder", "like": .string(like)]
        case .footer(let footer):
            [
                "kind": "footer", "state": .string(footer.state.rawValue), "edge": .string(footer.edge.rawValue),
                "text": .string(footer.text),
            ]
        }
    }

    private static func json(_ post: PostRow) -> AppJSON {
        .members([
            "kind": "post",
            "author": .members([
                "id": .string("\(post.authorID)"), "name": .string(post.authorName),
                "avatar": mediaAddress(post.authorImagePath, width: 480),
            ]),
            "text": .runs(post.text), "time": .time(post.createdAt),
            // The backend's images have an aspect ratio of 3:2.
            "images": .array(
                mediaAddress(post.previewImagePath, width: 480).map { [["src": $0, "w": 480, "h": 320, "alt": ""]] }
                    ?? []),
            "likes": .int(Int64(post.likeCount)),
            "liked": .bool(post.isLiked), "comments": .int(Int64(post.commentCount)),
            "shares": .int(Int64(post.shareCount)), "pending": .bool(post.isSending),
        ])
    }

    private static func json(_ post: PostDetail, _ text: RichText?) -> AppJSON {
        .members([
            "kind": "post", "detail": true, "author": json(post.author), "text": text.map { .runs($0) } ?? [],
            "time": .time(post.createdAt),
            "images": .array(
                post.attachments.compactMap { attachment in
                    mediaAddress(attachment.previewImagePath ?? attachment.contentPath, width: 1_080).map { address in
                        [
                            "src": address, "w": 1_080, "h": 720, "type": .string(attachment.type),
                            "alt": .string(attachment.caption ?? ""),
                        ]
                    }
                }),
            "likes": .int(Int64(post.likeCount)), "liked": .bool(post.isLiked),
            "bookmarked": .bool(post.isBookmarked), "comments": .int(Int64(post.commentCount)),
            "shares": .int(Int64(post.shareCount)),
        ])
    }

    private static func json(_ author: Author) -> AppJSON {
        .members([
            "id": .string("\(author.id)"), "name": .string(author.name),
            "avatar": mediaAddress(author.imagePath, width: 480),
        ])
    }

    private static func json(_ comment: Comment, _ place: CommentPlace) -> AppJSON {
        .members([
            "kind": "comment", "author": json(comment.author), "text": .runs(comment.content),
            "time": .time(comment.createdAt), "mine": .bool(place.isMine), "pending": .bool(comment.id < 0),
            "replies": .int(Int64(comment.replyCount)), "open": .bool(place.isOpen),
            "parent": place.parent.map { .string($0) },
        ])
    }

    private static func json(_ preview: ConversationPreview, _ info: ContactInfo?) -> AppJSON {
        .members([
            "kind": "chat", "conversation": .string(preview.id), "name": .string(preview.contact.name),
            "avatar": mediaAddress(preview.contact.avatarUrl, width: 480), "last": .string(preview.lastMessageSummary),
            "time": preview.lastMessageTimestamp.map { .time($0) }, "unread": .int(Int64(preview.unreadCount)),
            "mention": .bool(preview.mentionsMe), "draft": .bool(preview.isDraft),
            "typing": .bool(info?.typing ?? false), "online": .bool(info?.onlineStatus ?? false),
            "group": .bool(preview.contact.isGroup),
        ])
    }

    private static func json(_ message: Message, _ place: MessagePlace) -> AppJSON {
        let status =
            switch message.status {
            case .synced: "sent"
            case .delivered: "delivered"
            case .read: "read"
            }
        return .members([
            "kind": "message", "mine": .bool(place.isMine), "author": place.author.map { ["name": .string($0)] },
            "showName": .bool(place.author != nil), "text": .runs(message.content), "time": .time(message.createdAt),
            "status": place.isMine ? .string(status) : nil,
            "edited": .bool(message.revision > 0 && !message.isDeleted), "deleted": .bool(message.isDeleted),
            "media": message.isDeleted ? nil : message.attachment.map(Self.json),
            "actions": .array(place.actions.map { .string($0.name) }),
        ])
    }

    private static func json(_ request: MessageRequest) -> AppJSON {
        .members([
            "kind": "message", "mine": true, "text": .runs(request.content), "time": .time(request.createdAt),
            "status": request.status == .failed ? "failed" : "sending",
            "media": request.attachment.map { Self.json($0.told) },
            "progress": request.attachment.map { .double($0.progress) },
            "actions": .array(TimelineRow.waiting(request).actions(of: "").map { .string($0.name) }),
        ])
    }

    private static func json(_ hit: ChatClient.SearchHit) -> AppJSON {
        .members([
            "kind": "hit", "title": .string(hit.contact.name),
            "avatar": mediaAddress(hit.contact.avatarUrl, width: 480),
            "text": .array(hit.excerpt.map { ["s": .string($0.text), "b": .bool($0.isMatch)] }),
            "time": .time(hit.message.createdAt),
            "open": [
                "kind": "conversation",
                "with": ["conversation": .string(hit.contact.id), "message": .string("m\(hit.id)")],
            ],
        ])
    }

    private static func json(_ attachment: ChatAttachment) -> AppJSON {
        if let latitude = attachment.latitude, let longitude = attachment.longitude {
            return [
                "place": [
                    "name": .string(attachment.name ?? ""), "latitude": .double(latitude),
                    "longitude": .double(longitude),
                ]
            ]
        }
        return .members([
            "alt": .string(attachment.label),
            "src": mediaAddress(attachment.thumbnailPath ?? attachment.path, width: 480),
            "full": mediaAddress(attachment.path, width: 1_080), "w": attachment.width.map { .int(Int64($0)) },
            "h": attachment.height.map { .int(Int64($0)) },
        ])
    }
}

extension MessageAction {
    /// The page's name for the row.
    var name: String {
        switch self {
        case .edit: "edit"
        case .showEdits: "edits"
        case .deleteForAll: "deleteForAll"
        case .deleteForMe: "deleteForMe"
        case .resend: "resend"
        case .discard: "deleteFailed"
        }
    }
}

extension AppJSON {
    /// A text without styles.
    static func runs(_ text: String) -> AppJSON { text.isEmpty ? [] : [["s": .string(text)]] }

    /// Returns a rich text as runs, with line breaks between blocks.
    static func runs(_ text: RichText) -> AppJSON {
        let runs = text.blocks.enumerated().flatMap { index, block -> [AppJSON] in
            (index > 0 ? [["s": "\n\n"]] : []) + block.runs.map(run)
        }
        return .array(runs)
    }

    private static func run(_ run: RichText.Run) -> AppJSON {
        var (address, mention): (AppJSON?, AppJSON?)
        switch run.link {
        case .address(let link)?: address = .string(link.address)
        case .mention(let user)?: mention = .string(user.user)
        case nil: break
        }
        return .members([
            "s": .string(run.text), "b": run.style.contains(.bold) ? true : nil,
            "i": run.style.contains(.italic) ? true : nil, "u": run.style.contains(.underlined) ? true : nil,
            "x": run.style.contains(.struckOut) ? true : nil, "c": run.style.contains(.code) ? true : nil,
            "a": address, "m": mention,
        ])
    }
}
