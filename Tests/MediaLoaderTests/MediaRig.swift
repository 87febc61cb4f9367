import AppFoundation
import ExampleBackend
import Foundation
import MediaLoader
import PaginatorTesting
import TestFolders
import Testing

/// A backend on loopback, and a folder for the client.
final class MediaRig: Sendable {
    let backend: BackendServer
    let url: URL
    private let temporary = TemporaryFolder()
    let api: APIClient
    let environment = AppEnvironment()

    var folder: URL { temporary.url }

    init() async throws {
        var configuration = BackendConfiguration()
        configuration.corpusSize = 1
        backend = try BackendServer(configuration)
        url = try await backend.start()
        struct Answer: Decodable { let token: String }
        let token = try await APIClient(baseURL: url) { nil }
            .send("POST", "/v1/sessions", body: ["name": "Ann"]).decoded(Answer.self).token
        api = APIClient(baseURL: url) { token }
    }

    func loader(_ limits: MediaLoader.Limits = .init()) async throws -> MediaLoader {
        try await MediaLoader.open(folder, api: api, environment: environment, limits: limits)
    }

    /// Loads an image and returns its steps, as `preview 60` or `image 480`.
    func steps(_ loader: MediaLoader, _ path: String, shownWidth: Int) async throws -> [String] {
        let steps = Handshake<[String]>([])
        loader.image(MediaPath(path)!, shownWidth: shownWidth) { step in steps.update { $0.append(Self.name(step)) } }
        try await steps.wait { $0.last?.hasPrefix("preview") == false }
        return steps.read { $0 }
    }

    static func name(_ step: ImageStep) -> String {
        switch step {
        case .preview(_, let quality): "preview \(quality.width)"
        case .image(_, let quality): "image \(quality.width)"
        case .failed(let error): "failed \(error.kind)"
        }
    }

    func count(_ path: String) -> Int { backend.faults.count("GET", path) }

    func end() async throws {
        await backend.stop()
    }
}
