import ChatWire
import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts notifications to the push provider over HTTP. A push is best effort, because its message is stored.
final class PushNotifier: Sendable {
    private let url: URL
    private let failures = Guarded(0)

    init(_ provider: URL) {
        url = provider.appendingPathComponent("v1/notifications")
    }

    func send(_ notification: PushNotification) {
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        do {
            request.httpBody = try BackendJSON.encoder.encode(notification)
        } catch {
            return noteFailure()
        }
        URLSession.shared.dataTask(with: request) { [self] _, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if error != nil || !(200...299).contains(status) { noteFailure() }
        }.resume()
    }

    func noteFailure() { failures.withLock { $0 += 1 } }
}
