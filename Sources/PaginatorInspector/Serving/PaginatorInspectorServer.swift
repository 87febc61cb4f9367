#if Inspector
    public import Foundation
    import PaginatorCore

    /// Shows a page in the browser with what a ``PaginatorInspector`` or a ``PaginatorRecording`` has.
    ///
    /// It is for development, and speaks HTTP without encryption. The page asks this server for everything, and no other
    /// one. Who asks by another host's name, or for another site's page, is refused.
    public final class PaginatorInspectorServer: Sendable {
        /// The address to open, with the token where one is needed.
        public let url: URL

        /// The port that it listens on.
        public let port: UInt16

        private let close: @Sendable () async -> Void
        // With its release the server stops.
        private let kept: (any Sendable)?

        init(url: URL, port: UInt16, keeping kept: (any Sendable)?, close: @escaping @Sendable () async -> Void) {
            self.url = url
            self.port = port
            self.kept = kept
            self.close = close
        }

        /// Closes the port and every connection; returns when that is done. A second call does nothing.
        public func stop() async {
            await close()
        }
    }

    /// Who may open the page of a ``PaginatorInspectorServer``.
    public struct PaginatorInspectorAccess: Sendable, Hashable {
        enum Reach: Sendable, Hashable {
            case thisDevice
            case localNetwork(token: String?)
        }

        let reach: Reach

        /// Browsers on this device.
        public static let thisDevice = PaginatorInspectorAccess(reach: .thisDevice)

        /// Every browser that reaches the device and knows a token, such as that of a computer beside a phone.
        ///
        /// On Apple's devices the app needs the permission to use the local network.
        ///
        /// - Parameter token: at least 16 letters, digits, `-`, `.`, `_` or `~`; `nil`, the default, takes a random one. It
        ///   stands in the server's address, and is as good as a password.
        public static func localNetwork(token: String? = nil) -> PaginatorInspectorAccess {
            PaginatorInspectorAccess(reach: .localNetwork(token: token))
        }
    }

    /// Why a ``PaginatorInspectorServer`` cannot start. Later versions may add reasons: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum PaginatorInspectorServerError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The inspector is not enabled, as in a release build by default.
        case disabled
        /// Another program listens on this port, or the same one.
        case portTaken(UInt16)
        /// The token is too short, or has other characters than letters, digits, `-`, `.`, `_` and `~`.
        case unfitToken
        /// The device is in no local network.
        case noLocalNetwork
        /// The system refuses, for this reason.
        case system(String)

        /// A sentence for people.
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
