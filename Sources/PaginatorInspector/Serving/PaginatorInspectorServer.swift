#if Inspector
    public import Foundation
    import PaginatorCore

    /// Serves a page for the browser that shows a ``PaginatorInspector`` or a ``PaginatorRecording``.
    ///
    /// It is for development, and uses HTTP without encryption. The page loads everything from this server. Requests
    /// with another host's name, or for another site's page, are refused.
    public final class PaginatorInspectorServer: Sendable {
        /// The address to open, with the token if one is needed.
        public let url: URL

        /// The port that it listens on.
        public let port: UInt16

        private let close: @Sendable () async -> Void
        // Releasing it stops the server.
        private let kept: (any Sendable)?

        init(url: URL, port: UInt16, keeping kept: (any Sendable)?, close: @escaping @Sendable () async -> Void) {
            self.url = url
            self.port = port
            self.kept = kept
            self.close = close
        }

        /// Closes the port and every connection, and returns when that is done. A second call has no effect.
        public func stop() async {
            await close()
        }
    }

    /// Which browsers may open the page of a ``PaginatorInspectorServer``.
    public struct PaginatorInspectorAccess: Sendable, Hashable {
        enum Reach: Sendable, Hashable {
            case thisDevice
            case localNetwork(token: String?)
        }

        let reach: Reach

        /// Browsers on this device.
        public static let thisDevice = PaginatorInspectorAccess(reach: .thisDevice)

        /// Every browser that can reach the device and knows a token, such as that of a computer next to a phone.
        ///
        /// On Apple's devices the app needs permission to use the local network.
        ///
        /// - Parameter token: at least 16 letters, digits, `-`, `.`, `_` or `~`; `nil`, the default, uses a random one.
        ///   It is part of the server's address, and must be kept secret like a password.
        public static func localNetwork(token: String? = nil) -> PaginatorInspectorAccess {
            PaginatorInspectorAccess(reach: .localNetwork(token: token))
        }
    }

    /// The error of a ``PaginatorInspectorServer`` that cannot start. Later versions may add reasons: switch over it
    /// with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum PaginatorInspectorServerError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The inspector is not enabled, as in a release build by default.
        case disabled
        /// Another program listens on this port, or this one already does.
        case portTaken(UInt16)
        /// The token is too short, or has characters other than letters, digits, `-`, `.`, `_` and `~`.
        case unfitToken
        /// The device is not in a local network.
        case noLocalNetwork
        /// The system refuses, with this reason.
        case system(String)

        /// The error as a sentence.
        public var description: String {
            switch self {
            case .disabled: "The inspector is not enabled; see PaginatorInspectorConfig.isEnabled."
            case .portTaken(let port): "Port \(port) is taken; port 0 takes a free one."
            case .unfitToken: "A token has at least 16 letters, digits, '-', '.', '_' or '~'."
            case .noLocalNetwork: "This device is in no local network."
            case .system(let reason): "The server cannot listen: \(reason)"
            }
        }
    }
#endif
