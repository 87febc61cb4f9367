#if Inspector
    import Foundation

    /// Where other devices reach this one.
    enum LocalNetwork {
        /// The address of the first interface that is up and not the loopback, an IPv4 one; `nil` without a network.
        static func address() -> String? {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return nil }
            defer { freeifaddrs(first) }
            let interfaces = sequence(first: first, next: { $0?.pointee.ifa_next }).prefix { $0 != nil }
            return interfaces.lazy.compactMap { $0?.pointee }.compactMap(address).first
        }

        private static func address(of interface: ifaddrs) -> String? {
            let flags = Int32(truncatingIfNeeded: interface.ifa_flags)
            guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                flags & Int32(truncatingIfNeeded: IFF_UP) != 0, flags & Int32(truncatingIfNeeded: IFF_LOOPBACK) == 0
            else { return nil }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                let bytes = withUnsafeBytes(of: address.pointee.sin_addr) { [UInt8]($0) }
                return bytes.map(String.init).joined(separator: ".")
            }
        }
    }
#endif
