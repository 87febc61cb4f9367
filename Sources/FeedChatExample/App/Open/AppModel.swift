import AppFoundation
import ChatClient
import FeedClient
import Foundation
import PaginatorCore

/// The app of one user, apart from its windows: feed and chat of one session.
@MainActor final class AppModel {
    let feed: FeedApp
    let chat: ChatApp
    let environment: AppEnvironment
    let folder: URL
    let feedCoordinator: FeedCoordinator
    let chatCoordinator: ChatCoordinator
    let inspector: InspectorLink
    /// Takes what the app does, line by line.
    let log: AppLog?
    private(set) var network = NetworkSwitches()
    private let baseURL: URL
    private let isOffline: Guarded<Bool>
    private let connection: ConnectionWatch
    private var following: (any AnyObject & Sendable)?
    private let chats: ChatListScreen
    /// How many messages were not read, in all conversations.
    private var unread = 0
    private var windows: [ObjectIdentifier: AppWindow] = [:]

    /// Opens the app, which needs the backend only where the user was never signed in.
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
        // The switch of the page is one more reason for having no connection.
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
            // It may have been switched off meanwhile.
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

    /// Closes what is open, as the end of a process does in good order.
    func close() async throws {
        try await chat.close()
        try await feed.close()
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

    /// Says something to every window.
    func tell(_ message: AppJSON) {
        for window in windows.values { window.say(message) }
    }

    /// What a window is told first.
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

    /// What a window is told of the messages that were not read.
    var unreadMessage: AppJSON { ["t": "unread", "n": .int(Int64(unread))] }

    private func show(unread count: Int) {
        guard count != unread else { return }
        unread = count
        tell(unreadMessage)
    }

    /// Tells whether the backend answers now, whatever it did when the change came about.
    private func showReach() {
        let isReached = environment.state.isOnline
        guard isReached != network.isReached else { return }
        network.isReached = isReached
        tell(network.message)
    }

    /// Says everything in another language.
    func greetAgain() {
        tell(hello)
        for window in windows.values { window.showAll() }
    }

    // MARK: - Network

    /// Takes what the page set: being offline is this app's own, the rest is the backend's and goes to whoever runs it.
    func switchNetwork(_ message: AppJSON) {
        if let offline = message["offline"]?.bool, offline != network.isOffline {
            isOffline.withLock { $0 = offline }
            if offline { environment.update { $0.link = .none } }
            // Whoever watches the connection finds out that it is back.
            environment.doubtConnection()
        }
        network.take(message)
        Transcript.say("network " + String(decoding: network.weather.bytes, as: UTF8.self))
        tell(network.message)
    }

    func setBackend(isUp: Bool) { Transcript.say(isUp ? "backend up" : "backend down") }

    /// Takes what whoever runs the backend says of it, one line.
    func heard(_ line: String) {
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
        try await chat.close()
        try await feed.logOut()
        exit(0)
    }

    /// Ends the process without a word, as the system does with an app.
    func die() { _ = Foundation.kill(getpid(), SIGKILL) }
}
