import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the answers of a session's tasks, and refuses redirects and endless bodies.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer: Sendable {
        var body = Data()
        var isTooLarge = false
        let completion: @Sendable (Result<APIResponse, APIError>) -> Void
    }

    private let bodyLimit: Int
    private let transfers = Guarded([Int: Transfer]())

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    func add(_ task: Int, completion: @escaping @Sendable (Result<APIResponse, APIError>) -> Void) {
        transfers.withLock { $0[task] = Transfer(completion: completion) }
    }

    /// Ends a transfer without waiting for the system; later events of it are ignored.
    func cancel(_ task: Int) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task) }) else { return }
        transfer.completion(.failure(APIError(.cancelled)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = transfers.withLock { transfers in
            guard var transfer = transfers.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            if data.count > bodyLimit - transfer.body.count {
                transfer.isTooLarge = true
            } else {
                transfer.body.append(data)
            }
            transfers[dataTask.taskIdentifier] = transfer
            return transfer.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        transfer.completion(outcome(transfer, task.response, error))
    }

    private func outcome(
        _ transfer: Transfer, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<APIResponse, APIError> {
        if transfer.isTooLarge { return .failure(APIError(.tooLarge)) }
        if let error { return .failure(APIError(transport: error)) }
        guard let response = response as? HTTPURLResponse else { return .failure(APIError(.undecodable)) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return .success(APIResponse(status: response.statusCode, headers: headers, body: transfer.body))
    }
}

extension APIError {
    /// The error of a connection, without the address that the system's error carries.
    fileprivate init(transport error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut?: self.init(.timedOut)
        case .cancelled?: self.init(.cancelled)
        case .badURL?, .unsupportedURL?: self.init(.badRequest)
        default: self.init(.unreachable)
        }
    }
}
