import Foundation
import PaginatorCore

/// Adds credentials to every request, and refreshes them when the server refuses them.
///
/// ```swift
/// let account = HTTPAuthentication.bearer { await tokens.current } refresh: { try await tokens.renew() }
/// ```
///
/// Several sources may share one. After a 401, one refresh runs for all requests, and each refused request is repeated
/// once; so it is after a 400 or 500, and after a page's answer without items, if the error in the body has a code such
/// as `UNAUTHENTICATED`. If the server refuses it again, the fetch ends with ``HTTPSourceError/Code/unauthorized``; if
/// `adapt` or `refresh` throws, with ``HTTPSourceError/Code/authenticationFailed`` and the thrown error in it. That is
/// only retried after a failed connection, or an answer to a request of the session's, that may be another one later.
/// Only requests to the endpoint's own origin get credentials.
public final class HTTPAuthentication: Sendable {
    private struct State {
        /// The number of successful refreshes.
        var generation = 0
        /// The requests that wait for the running refresh; `nil` if none runs.
        var waiters: [RefreshEnd.Continuation]?
        /// The number of the last refresh.
        var refresh = 0

        /// Returns the end of the running refresh, for one request; `nil` if none runs, or for the requests of that
        /// refresh, which would wait for themselves.
        mutating func joinRefresh(from own: Int?) -> RefreshEnd? {
            guard waiters != nil, own != refresh else { return nil }
            let (end, waiter) = RefreshEnd.makeStream()
            waiters?.append(waiter)
            return end
        }
    }

    // Without elements. Unlike the value of a task, it also ends when the task that waits is cancelled.
    private typealias RefreshEnd = AsyncThrowingStream<Void, any Error>

    private let adaptation: @Sendable (inout HTTPPageRequest) async throws -> Void
    let renewal: (@Sendable () async throws -> Void)?
    private let state = Guarded(State())

    /// The refreshes in which a task runs: the number of each authentication's.
    @TaskLocal private static var refreshes: [ObjectIdentifier: Int] = [:]

    /// Creates an authentication.
    ///
    /// - Parameters:
    ///   - adapt: adds the credentials to a request; called for every request, on any thread, also concurrently.
    ///   - refresh: gets new credentials after the server refused the current ones, one call at a time, and throws if
    ///     there are none, for example because the user has to sign in; `nil`, the default, if there are no others.
    ///     Other requests wait until it returns, so it must not take forever. Those that it sends by
    ///     ``HTTPSession/send(_:authentication:limits:secretParameters:)`` do not wait, also if they have this
    ///     authentication. It must not await a fetch of a paginator with it, which does wait.
    public init(
        adapt: @escaping @Sendable (_ request: inout HTTPPageRequest) async throws -> Void,
        refresh: (@Sendable () async throws -> Void)? = nil
    ) {
        adaptation = adapt
        renewal = refresh
    }

    /// Sends a bearer token, RFC 6750.
    ///
    /// - Parameters:
    ///   - token: returns the current token.
    ///   - refresh: gets a new token after the server refused the current one, and throws if there is none; `nil`, the
    ///     default, if there is no other.
    public static func bearer(
        _ token: @escaping @Sendable () async throws -> String, refresh: (@Sendable () async throws -> Void)? = nil
    ) -> HTTPAuthentication {
        HTTPAuthentication(
            adapt: { request in request.set(.header("Authorization"), to: "Bearer \(try await token())") },
            refresh: refresh)
    }

    /// Sends a constant header field, such as an API key.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - value: its value.
    public static func header(_ name: String, _ value: String) -> HTTPAuthentication {
        HTTPAuthentication(adapt: { $0.set(.header(name), to: value) })
    }

    /// Sends a query parameter, such as an API key. No key, event or error text contains it.
    ///
    /// - Parameters:
    ///   - name: the parameter's name.
    ///   - value: its value.
    public static func query(_ name: String, _ value: String) -> HTTPAuthentication {
        HTTPAuthentication(adapt: { $0.set(.query(name), to: value) })
    }

    /// Sends a name and a password, RFC 7617, in UTF-8.
    ///
    /// - Parameters:
    ///   - user: the name, without a colon.
    ///   - password: the password.
    public static func basic(user: String, password: String) -> HTTPAuthentication {
        .header("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// Adapts a request, after a running refresh has ended.
    ///
    /// - Returns: the generation of the credentials, for ``renew(after:)``.
    func adapt(_ request: inout HTTPPageRequest) async throws -> Int {
        // A request that started meanwhile would be refused with the old token.
        let own = Self.refreshes[ObjectIdentifier(self)]
        try await Self.wait(for: state.withLock { $0.joinRefresh(from: own) })
        let generation = state.withLock { $0.generation }
        try await adaptation(&request)
        return generation
    }

    /// Waits until there are other credentials than the refused ones.
    ///
    /// - Parameter generation: the result of ``adapt(_:)``.
    /// - Returns: whether to repeat the request.
    func renew(after generation: Int) async throws -> Bool {
        guard let renewal else { return false }
        var refreshes = Self.refreshes
        let own = refreshes[ObjectIdentifier(self)]
        let (end, number, begins) = state.withLock { state in
            // One refresh for all, because many servers accept a refresh token only once; and none if another request's
            // has ended since this one was adapted.
            let begins = state.waiters == nil && state.generation == generation
            if begins {
                state.waiters = []
                state.refresh += 1
            }
            return (state.joinRefresh(from: own), state.refresh, begins)
        }
        if begins {
            refreshes[ObjectIdentifier(self)] = number
            // A task of its own, which goes on for the others when this request is cancelled.
            Task { [refreshes] in
                do {
                    try await Self.$refreshes.withValue(refreshes) { try await renewal() }
                    self.endRefresh(nil)
                } catch {
                    self.endRefresh(error)
                }
            }
        }
        try await Self.wait(for: end)
        return true
    }

    private static func wait(for end: RefreshEnd?) async throws {
        guard let end else { return }
        for try await _ in end {}
        try Task.checkCancellation()
    }

    private func endRefresh(_ error: (any Error)?) {
        let waiters = state.withLock { state in
            if error == nil { state.generation += 1 }
            return state.waiters.take() ?? []
        }
        for waiter in waiters { waiter.finish(throwing: error) }
    }
}
