import AppFoundation
import Foundation
import PaginatorCore

/// One window of the page: its open screens, and the messages for it.
@MainActor final class AppWindow {
    /// The maximum number of open screens of a window.
    private static let screenLimit = 40

    private let model: AppModel
    private var screens: [Int64: any AppScreen] = [:]
    private var mail = WindowMessages()
    private var kept = RowCache()
    private var isOver = false
    private let wake: AsyncStream<Void>.Continuation
    private let waking: AsyncStream<Void>

    init(_ model: AppModel) {
        self.model = model
        (waking, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        say(model.hello)
        say(model.network.message)
        say(model.unreadMessage)
    }

    /// Sends a message to the page, after the waiting ones.
    func say(_ message: AppJSON) {
        mail.say(message)
        wake.yield()
    }

    /// Marks all screens as changed, as after a change of the language.
    func showAll() {
        for id in screens.keys.sorted() { changed(id) }
    }

    func end() {
        isOver = true
        screens = [:]
        wake.finish()
    }

    /// Wakes the task that waits for the next message.
    func wakeUp() { wake.yield() }

    /// Returns the next message, waiting for it; `nil` after the last, and if another message must go first.
    func next(unless isInterrupted: () -> Bool) async -> Data? {
        while !isOver, !mail.isFull, !isInterrupted() {
            let message = mail.next { id in
                screens[id].map { WindowMessages.Look(kind: $0.kind, state: $0.state, rows: rows(of: id)) }
            }
            if let message { return message.bytes }
            guard await isWoken() else { return nil }
        }
        return nil
    }

    /// Waits until there may be a message; false at the end.
    private func isWoken() async -> Bool {
        for await _ in waking { return true }
        return false
    }

    private func rows(of id: Int64) -> [AppRow]? {
        kept.rows(of: id) { screens[id]?.rows }
    }

    private func changed(_ id: Int64) {
        kept.forget(id)
        mail.changed(id)
        wake.yield()
    }

    // MARK: - What the page says

    func take(_ message: AppJSON) async {
        let id = message["id"]?.int ?? -1
        switch message["t"]?.string {
        case "open": await open(id, message)
        case "close":
            screens[id] = nil
            kept.forget(id)
            mail.closed(id)
        case "visible": await visible(id, message)
        case "again":
            mail.again(id)
            changed(id)
        case "do":
            if screens[id]?.keepsOrder == true { return await perform(id, message) }
            Task { await perform(id, message) }
        case "network": model.switchNetwork(message)
        case "backend": model.setBackend(isUp: message["up"]?.bool ?? true)
        default: break
        }
    }

    private func open(_ id: Int64, _ message: AppJSON) async {
        guard screens[id] == nil, screens.count < Self.screenLimit else {
            return say(.notice(model.environment.texts.tooManyScreens, isError: true))
        }
        do {
            let route = AppRoute(kind: message["kind"]?.string ?? "", with: message["with"] ?? .object([:]))
            guard let screen = try await route.makeScreen(model, changed: { [weak self] in self?.changed(id) }) else {
                say(["t": "gone", "id": .int(id)])
                return
            }
            guard !isOver else { return }
            screens[id] = screen
            model.log?(.ui, .info, "shows \(screen.kind)")
            changed(id)
        } catch {
            say(["t": "gone", "id": .int(id)])
            say(.notice(model.environment.texts.notOpened, isError: true))
        }
    }

    private func visible(_ id: Int64, _ message: AppJSON) async {
        // Read anew, because the rows of the last message to the page may stand elsewhere by now.
        guard let screen = screens[id], let all = screen.rows, let first = message["first"]?.string,
            let last = message["last"]?.string, let visible = all.positions(from: first, to: last)
        else { return }
        await screen.visible(visible, of: all)
    }

    private func perform(_ id: Int64, _ message: AppJSON) async {
        var refusal: String?
        do {
            if let screen = screens[id] {
                let row = message["row"]?.string.flatMap { name in rows(of: id)?.first { $0.id == name } }
                if try await !screen.perform(AppIntent(message: message, row: row)) {
                    refusal = model.environment.texts.notPossibleHere
                }
            } else {
                refusal = model.environment.texts.screenIsClosed
            }
        } catch let failure as AppIntentError {
            refusal = failure.text
        } catch {
            refusal = Self.text(of: error, model.environment.texts)
        }
        say(.done(message, error: refusal.map { .string($0) }))
    }

    /// Returns the text of an error for people.
    private static func text(of error: any Error, _ texts: AppTexts) -> String {
        switch (error as? APIError)?.kind {
        case .tokenRefused?: texts.youAreSignedOut
        case .timedOut?: texts.serverIsSlow
        default: texts.serverIsAway
        }
    }
}

extension AppJSON {
    /// Returns a message that is shown for a while.
    static func notice(_ text: String, isError: Bool, open: AppRoute? = nil) -> AppJSON {
        .members([
            "t": "notice", "text": .string(text), "kind": isError ? "error" : "info",
            "open": open.map { ["kind": .string($0.kind), "with": $0.with] },
        ])
    }

    /// Returns the answer to an action.
    static func done(_ message: AppJSON, error: AppJSON?) -> AppJSON {
        ["t": "done", "n": message["n"] ?? .null, "error": error ?? .null]
    }
}
