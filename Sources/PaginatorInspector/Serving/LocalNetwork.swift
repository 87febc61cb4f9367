#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation

    /// Where other devices reach this one.
    enum LocalNetwork {
        /// The IPv4 address of the interface that leads out; `nil` without a network.
        ///
        /// Nothing is sent: a datagram socket that is connected only learns its own address. The other one is of
        /// RFC 5737, section 3, which belongs to nobody.
        static func address() -> String? {
            do {
                let socket = try Socket(domain: AF_INET, type: .datagram)
                let own = Result {
                    try socket.connect(to: .inet(ip4: "192.0.2.1", port: 9))
                    return try socket.sockname()
                }
                try socket.close()
                guard case .ip4(let address, port: _) = try own.get() else { return nil }
                return address
            } catch {
                // Without a network, there is no way to that address.
                return nil
            }
        }
    }
#endif
