import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a session's reports to their transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Guarded<[Int: Transfer]>([:])

    /// The number of running transfers.
    var count: Int { transfers.withLock { $0.count } }

    func add(_ transfer: Transfer, as task: Int) {
        transfers.withLock { $0[task] = transfer }
    }

    private func transfer(_ task: URLSessionTask) -> Transfer? {
        let id = task.taskIdentifier
        return transfers.withLock { $0[id] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // It was cancelled and removed, but the system still waits for an answer.
        guard let transfer = transfer(task) else { return completionHandler(nil) }
        transfer.redirected(status: response.statusCode, to: request, answer: completionHandler)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, let transfer = transfer(dataTask) else {
            return completionHandler(.cancel)
        }
        transfer.received(response, answer: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let id = task.taskIdentifier
        let transfer = transfers.withLock { $0.removeValue(forKey: id) }
        transfer?.ended(error)
    }
}
