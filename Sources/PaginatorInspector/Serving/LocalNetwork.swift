#if Inspector
    import FlyingFox
    import FlyingSocks
    import Foundation

    /// The address of this device for other devices.
    enum LocalNetwork {
        /// Returns the IPv4 address of the interface with the default route; `nil` without a network.
        ///
        /// Nothing is sent: connecting a datagram socket only determines its own address. The other address is reserved
        /// for documentation, RFC 5737, section 3.
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
                // Without a network there is no route to that address.
                return nil
            }
        }
    }
#endif
