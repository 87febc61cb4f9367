import AppFoundation
import FeedClient
import Foundation
import RichText

/// One user's profile and posts.
@MainActor final class ProfilePage: AppScreen {
    let kind = "profile"
    private let model: AppModel
    private let holder: ProfileStateHolder

    init(_ model: AppModel, user: Int64, changed: @escaping @MainActor () -> Void) {
        self.model = model
        holder = model.feedCoordinator.makeProfile(user)
        holder.onChange { _ in changed() }
        // Without a connection this waits for an answer, while the stored profile is shown.
        Task { [holder] in
            do {
                try await holder.start()
            } catch {
                model.tell(.notice(holder.state.texts.profileNotRead, isError: true))
            }
        }
    }

    var state: AppJSON { FeedProjection.state(holder.state) }
    var rows: [AppRow]? { FeedProjection.rows(holder.state) }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async {
        holder.visible(rows.clamped(to: 0..<holder.state.items.count))
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch (intent.what, intent.row?.content) {
        case ("like", .post(let post)?): try await holder.toggleLike(post)
        case ("share", .post(let post)?): try await model.feed.sharePost(post.id, seeing: post.shareCount)
        case ("refresh", _): await holder.refresh()
        case ("retry", _): await holder.retry()
        case ("write", _): try await holder.write(about: intent.text)
        case ("save", _):
            if !intent.text.isEmpty { try await holder.write(about: intent.text) }
            try (try await holder.saveDraft()).check(holder.state.texts)
        case ("discardDraft", _): try await holder.discardDraft()
        case ("keepMine", _): try (try await holder.resolveConflict(.keepMine)).check(holder.state.texts)
        case ("takeTheirs", _): try (try await holder.resolveConflict(.takeTheirs)).check(holder.state.texts)
        default: return false
        }
        return true
    }
}

/// The search of posts.
@MainActor final class SearchPage: AppScreen {
    let kind = "search"
    private let holder: SearchStateHolder

    init(_ model: AppModel, text: String, changed: @escaping @MainActor () -> Void) {
        holder = model.feedCoordinator.makeSearch(text)
        holder.onChange { _ in changed() }
    }

    var state: AppJSON { FeedProjection.state(holder.state) }
    var rows: [AppRow]? { FeedProjection.rows(holder.state) }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async {
        holder.visible(rows.clamped(to: 0..<holder.state.items.count))
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch intent.what {
        case "type": holder.type(String(intent.text.prefix(200)))
        case "older": holder.loadMore()
        case "retry": holder.retry()
        default: return false
        }
        return true
    }
}

/// A new post. The page sends the text as it is typed.
@MainActor final class ComposePage: AppScreen {
    let kind = "compose"
    let keepsOrder = true
    private let holder: ComposeStateHolder
    private let model: AppModel

    init(_ model: AppModel, changed: @escaping @MainActor () -> Void) async throws {
        self.model = model
        holder = model.feedCoordinator.makeCompose()
        holder.onChange { _ in changed() }
        try await holder.start()
    }

    var state: AppJSON { FeedProjection.state(holder.state) }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch intent.what {
        case "draft": try await holder.edit { $0.replace(with: intent.text) }
        case "schedule":
            let time = intent.message["at"]?.string
            let date = time.flatMap(AppJSON.date)
            if time != nil, date == nil { throw AppIntentError(text: model.environment.texts.timeHasPassed) }
            holder.schedule(at: date)
        case "attach":
            guard let image = SampleAttachment(intent.message["image"]?.string) else { return false }
            holder.attach(NewAttachment(type: "image", content: image.content, caption: image.id))
        case "detach":
            holder.detach { $0.caption == intent.message["image"]?.string }
        case "clear": try await holder.clear()
        case "send":
            if !intent.text.isEmpty { try await holder.edit { $0.replace(with: intent.text) } }
            try await holder.send()
            if let error = holder.state.errorMessage { throw AppIntentError(text: error) }
        default: return false
        }
        return true
    }
}

/// Posts that appear later.
@MainActor final class ScheduledPage: AppScreen {
    let kind = "scheduled"
    private let holder: ScheduledStateHolder

    init(_ model: AppModel, changed: @escaping @MainActor () -> Void) {
        holder = model.feedCoordinator.makeScheduled()
        holder.onChange { _ in changed() }
        Task { [holder] in await holder.refresh() }
    }

    var state: AppJSON {
        .members([
            "refreshing": .bool(holder.state.isLoading), "error": holder.state.errorMessage.map { .string($0) },
        ])
    }

    var rows: [AppRow]? {
        holder.state.waiting.map { AppRow(id: "w\($0.requestID)", content: .waitingPost($0)) }
            + holder.state.posts.map { AppRow(id: "s\($0.id)", content: .scheduled($0)) }
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch (intent.what, intent.row?.content) {
        case ("refresh", _), ("retry", _): await holder.refresh()
        case ("cancel", .scheduled(let post)?): await holder.cancel(post)
        case ("cancel", .waitingPost(let request)?): try await holder.discard(request)
        case ("cancel", _): break
        default: return false
        }
        return true
    }
}
