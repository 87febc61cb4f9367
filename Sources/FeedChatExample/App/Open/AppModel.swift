import AppFoundation
import ChatClient
import FeedClient
import Foundation
import PaginatorCore

/// The app of one user without its windows: feed and chat of one session.
@MainActor final class AppModel {
    let feed: FeedApp
    let chat: ChatApp
    let environment: AppEnvironment
    let folder: URL
    let feedCoordinator: FeedCoordinator
    let chatCoordinator: ChatCoordinator
    let inspector: InspectorLink
    /// The log of the app.
    let log: AppLog?
    private(set) var network = NetworkSwitches()
    private let baseURL: URL
    private let isOffline: Guarded<Bool>
    private let connection: ConnectionWatch
    private var following: (any AnyObject & Sendable)?
    private let chats: ChatListScreen
    /// The number of unread messages in all conversations.
    private var unread = 0
    private var windows: [ObjectIdentifier: AppWindow] = [:]

    /// Opens the app. It needs the backend only if the user has never signed in.
    init(
        user: String, folder: URL, baseURL: URL, transport: any ChatTransport = FallbackTransport(), log: AppLog? = nil
    ) async throws {
        self.log = log
        self.folder = folder
        self.baseURL = baseURL
        let environment = AppEnvironment()
        let session = try await AppSession.open(folder)
        if session.user?.name != user { try await session.signIn(user, at: baseURL) }
        let (notifications, notify) = AsyncStream<FeedNotification>.makeStream()
        var options = FeedOptions()
        // The switch of the page can also disconnect the app.
        options.watchesConnection = false
        options.log = log
        options.notify = { notify.yield($0) }
        guard let feed = try await FeedApp.open(session, at: baseURL, environment: environment, options: options) else {
            throw FeedAppError.notSignedIn
        }
        var chatConfig = ChatServiceConfig()
        chatConfig.log = log
        let chat = try await ChatApp.open(
            session, at: baseURL, environment: environment, media: feed.media, transport: transport, config: chatConfig)
        let isOffline = Guarded(false)
        connection = ConnectionWatch(environment) {
            if isOffline.withLock({ $0 }) { return false }
            let isReached = await feed.api.isReached()
            // The switch may have been turned off meanwhile.
            return isReached && !isOffline.withLock { $0 }
        }
        (self.feed, self.chat, self.environment, self.isOffline) = (feed, chat, environment, isOffline)
        feedCoordinator = FeedCoordinator(feed)
        chatCoordinator = ChatCoordinator(chat.service, media: chat.media, storage: chat.storage)
        inspector = await InspectorLink.make(feed)
        chats = chatCoordinator.makeList()
        feed.posts.followServer()
        chats.onChange { [weak self] in self?.show(unread: $0.unreadCount) }
        await chats.open()
        following = environment.observeState { [weak self] _ in Task { @MainActor in self?.showReach() } }
        showReach()
        Task { [weak self] in
            for await notification in notifications {
                self?.tell(
                    .notice(
                        "\(notification.title) \(notification.text)", isError: true, open: AppRoute(notification.route))
                )
            }
        }
    }

    /// Closes everything that is open, as at a regular end of the process.
    func close() async throws {
        let (chat, feed) = (chat, feed)
        var steps = ClosingSteps()
        await steps.run { try await chat.close() }
        await steps.run { try await feed.close() }
        try steps.finish()
    }

    // MARK: - Windows

    func makeWindow() -> AppWindow {
        let window = AppWindow(self)
        windows[ObjectIdentifier(window)] = window
        return window
    }

    func remove(_ window: AppWindow) {
        window.end()
        windows[ObjectIdentifier(window)] = nil
    }

    /// Sends a message to every window.
    func tell(_ message: AppJSON) {
        for window in windows.values { window.say(message) }
    }

    /// The first message for a window.
    var hello: AppJSON {
        let language = environment.state.language
        return [
            "t": "hello", "version": 1,
            "user": .members([
                "id": .string(feed.user.id), "name": .string(feed.user.name),
                "avatar": mediaAddress(feed.user.imagePath, width: 480),
            ]),
            "texts": .object([:]), "dir": language.isRightToLeft ? "rtl" : "ltr", "lang": .string(language.rawValue),
            "pid": .int(Int64(ProcessInfo.processInfo.processIdentifier)),
        ]
    }

    /// The message with the number of unread messages.
    var unreadMessage: AppJSON { ["t": "unread", "n": .int(Int64(unread))] }

    private func show(unread count: Int) {
        guard count != unread else { return }
        unread = count
        tell(unreadMessage)
    }

    /// Reports whether the backend answers now, which may differ from the time of the change.
    private func showReach() {
        let isReached = environment.state.isOnline
        guard isReached != network.isReached else { return }
        network.isReached = isReached
        tell(network.message)
    }

    /// Sends everything again in another language.
    func greetAgain() {
        tell(hello)
        for window in windows.values { window.showAll() }
    }

    // MARK: - Network

    /// Handles the page's network switches: offline concerns only this app, the rest is passed to the process of the
    /// backend.
    func switchNetwork(_ message: AppJSON) {
        if let offline = message["offline"]?.bool, offline != network.isOffline {
            isOffline.withLock { $0 = offline }
            if offline { environment.update { $0.link = .none } }
            // Makes the connection watch detect that the connection is back.
            environment.doubtConnection()
        }
        network.take(message)
        Transcript.say("network " + String(decoding: network.weather.bytes, as: UTF8.self))
        tell(network.message)
    }

    func setBackend(isUp: Bool) { Transcript.say(isUp ? "backend up" : "backend down") }

    /// Handles a line from the process that runs the backend.
    func handle(line: String) {
        guard line.hasPrefix("network "), let told = AppJSON(Data(line.dropFirst(8).utf8)) else { return }
        network.take(told)
        tell(network.message)
    }

    // MARK: - The session

    func signInAgain() async throws {
        try await feed.session.signInAgain(at: baseURL)
    }

    /// Logs out: nothing of the user stays on disk, and the process ends.
    func signOut() async throws {
        // What was not written is deleted now.
        await log.attempt("the chat was not closed before the log-out") { try await chat.close() }
        try await feed.logOut()
        exit(0)
    }

    /// Kills the process without warning, as the system does with an app.
    func killProcess() { _ = Foundation.kill(getpid(), SIGKILL) }
}
