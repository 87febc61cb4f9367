import AppFoundation
import FeedClient
import Foundation
import RichText

extension FeedProjection {
    static func rows(_ state: ProfileState) -> [AppRow] {
        if state.isLoading { return AppRow.placeholders("post") }
        return posts(state.items)
            + AppRow.footer(
                isPaging: state.isPaging, isAtEnd: state.isAtEnd, error: state.errorMessage, state.texts)
    }

    static func state(_ state: ProfileState) -> AppJSON {
        let author = state.items.first
        let name = state.profile?.name ?? author?.authorName
        return .members([
            "title": .string(name.map(state.texts.posts(of:)) ?? state.texts.profile),
            "profile": name.map { name in
                .members([
                    "id": (state.profile?.id ?? author?.authorID).map { .string("\($0)") }, "name": .string(name),
                    "avatar": author.flatMap { mediaAddress($0.authorImagePath, width: 480) },
                    "about": state.profile.map { .string($0.about) },
                ])
            },
            "isOwn": .bool(state.isOwn), "error": state.errorMessage.map { .string($0) },
            "draft": state.draft.map { ["about": .string($0.content)] },
            "conflict": state.draft?.serverContent.map { ["theirs": .string($0)] },
        ])
    }

    static func rows(_ state: FeedClient.SearchState) -> [AppRow] {
        let hits = state.items.map { AppRow(id: "p\($0.id)", content: .hit($0)) }
        if hits.isEmpty { return state.isLoading ? AppRow.placeholders("post") : [] }
        return hits
            + AppRow.footer(
                isPaging: state.isPaging, isAtEnd: state.isAtEnd, error: state.errorMessage, state.texts)
    }

    static func state(_ state: FeedClient.SearchState) -> AppJSON {
        .members([
            "title": state.text.isEmpty ? nil : .string(state.texts.search(state.text)), "text": .string(state.text),
            "refreshing": .bool(state.isLoading),
            "seenOnly": state.isOfSeenPosts ? .string(state.texts.amongSeen) : nil,
            "empty": state.foundNothing ? .string(state.texts.nothingFound) : nil,
            "error": state.errorMessage.map { .string($0) },
        ])
    }

    static func state(_ state: ComposeState) -> AppJSON {
        .members([
            "draft": .string(state.draft.text), "text": .runs(state.draft.richText), "canSend": .bool(state.canSend),
            "done": .bool(state.isDone), "samples": .array(SampleAttachment.all.map(\.json)),
            "images": .array(state.attachments.compactMap { SampleAttachment($0.caption)?.json }),
            "publishAt": state.publishAt.map { .time($0) }, "error": state.errorMessage.map { .string($0) },
        ])
    }
}

extension RichTextDraft {
    /// Replaces the text; the parts before and after the difference keep their styles.
    mutating func replace(with text: String) {
        let (old, new) = (Array(self.text), Array(text))
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        remove(start..<(old.count - end))
        insert(String(new[start..<(new.count - end)]), at: start)
    }
}
