/// Decides which requests are answered, by the same rules as the inspector's page: only under the name of this machine
/// (DNS rebinding), not from a page of another site (RFC 6455, section 10.2), and from other sites only by a link.
struct AppGate: Sendable {
    let port: UInt16

    /// Returns why a request is refused; `nil` if it is answered.
    ///
    /// - Parameters:
    ///   - host: the request's name for this server.
    ///   - origin: the origin of the requesting page, if the browser sends it.
    ///   - site: the relation of that page's site to this server, if the browser sends it.
    func refusal(path: String, host: String?, origin: String?, site: String?) -> String? {
        guard let host = host?.lowercased(), ["localhost:\(port)", "127.0.0.1:\(port)"].contains(host) else {
            return "This server does not go by that name."
        }
        if let origin = origin?.lowercased(), origin != "http://\(host)" { return "Another site's page may not ask." }
        // A page of another server on this device is "same-site", and must be refused as well.
        let isOwn = ["none", "same-origin"].contains(site?.lowercased() ?? "none")
        return isOwn || path == "/" ? nil : "Another site's page may not ask."
    }
}
