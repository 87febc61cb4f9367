import AppFoundation
import FeedClient
import Foundation
import MediaLoader

/// The settings: language, switches, the storage folder, and the address of the inspector.
@MainActor final class SettingsPage: AppScreen {
    let kind = "settings"
    private let model: AppModel
    private let changed: @MainActor () -> Void
    private var observations: [any AnyObject & Sendable] = []
    /// The bytes that the app stores; `nil` until they are counted.
    private var stored: Int64?

    init(_ model: AppModel, changed: @escaping @MainActor () -> Void) {
        self.model = model
        self.changed = changed
        // The server may sign the user out, and another window may change the settings.
        observations = [
            model.feed.observeSession { Task { @MainActor in changed() } },
            model.environment.observeState { _ in Task { @MainActor in changed() } },
        ]
        Task { await measure() }
    }

    private func measure() async {
        stored = await Self.size(of: model.folder)
        changed()
    }

    /// The size of the files in a folder.
    @concurrent
    private static func size(of folder: URL) async -> Int64 {
        let sizes = FileManager.default.enumerator(atPath: folder.path)
        var sum: Int64 = 0
        while sizes?.nextObject() != nil { sum += Int64(sizes?.fileAttributes?[.size] as? Int ?? 0) }
        return sum
    }

    var state: AppJSON {
        let config = model.feed.config
        return .members([
            "user": ["id": .string(model.feed.user.id), "name": .string(model.feed.user.name)],
            "language": .string(model.environment.state.language.rawValue),
            "languages": .array(
                AppLanguage.allCases.map { ["id": .string($0.rawValue), "name": .string($0.name)] }),
            "flags": .array(
                // The backend decides; a change applies from the next start.
                Set(config.flags.keys).union(config.rollouts.keys).sorted().map { name in
                    ["name": .string(name), "on": .bool(model.feed.flags.isOn(name)), "fixed": true]
                }),
            "lowPower": .bool(model.environment.state.isLowPower), "storage": stored.map { .int($0) },
            "inspector": model.inspector.address.map { .string($0) }, "inspectorText": .string(model.inspector.text),
            "signedOut": .bool(!model.feed.isSignedIn),
        ])
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch intent.what {
        case "language":
            guard let language = intent.message["value"]?.string.flatMap(AppLanguage.init(rawValue:)) else {
                throw AppIntentError(text: model.environment.texts.notPossibleHere)
            }
            model.environment.update { $0.language = language }
            model.greetAgain()
        case "lowPower": model.environment.update { $0.isLowPower = intent.message["on"]?.bool ?? false }
        // Only images, which are loaded again when they are shown. Texts of the user are no cache.
        case "clear":
            await model.feed.media.removeAll()
            await measure()
        case "signIn": try await model.signInAgain()
        case "signOut": try await model.signOut()
        case "kill": model.killProcess()
        default: return false
        }
        changed()
        return true
    }
}

extension AppLanguage {
    /// The language's own name.
    var name: String {
        switch self {
        case .english: "English"
        case .arabic: "العربية"
        }
    }
}
