/// Decides whose requests are answered, by the rules of the inspector's page: the server goes by the name of this machine
/// only (DNS rebinding), a page of another site may not ask (RFC 6455, section 10.2), and only a link may lead from one here.
struct AppGate: Sendable {
    let port: UInt16

    /// Why a request is refused; `nil` for one that is answered.
    ///
    /// - Parameters:
    ///   - host: what the request calls this server.
    ///   - origin: the site of the page that asks, where a browser says it.
    ///   - site: how that site is related to this server, where a browser says it.
    func refusal(path: String, host: String?, origin: String?, site: String?) -> String? {
        guard let host = host?.lowercased(), ["localhost:\(port)", "127.0.0.1:\(port)"].contains(host) else {
            return "This server does not go by that name."
        }
        if let origin = origin?.lowercased(), origin != "http://\(host)" { return "Another site's page may not ask." }
        // A page of another server on this device is of the same site, and another one's all the same.
        let isOwn = ["none", "same-origin"].contains(site?.lowercased() ?? "none")
        return isOwn || path == "/" ? nil : "Another site's page may not ask."
    }
}
