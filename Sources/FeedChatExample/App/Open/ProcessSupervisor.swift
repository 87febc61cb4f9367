import AppFoundation
import FeedSoak
import Foundation

/// The processes of `open`: the backend, which a page can kill and restart, and the apps, which restart when they end.
@MainActor final class ProcessSupervisor {
    private struct App {
        let user: String
        var port: UInt16
        var process: ClientProcess?
    }

    private let root: URL
    private let posts: Int
    private let executable: URL
    /// The options that all apps have in common.
    private let appOptions: [String]
    private var apps: [App]
    private var backend: (process: ClientProcess, url: URL)?
    /// The port of the backend, even while it is down.
    private var backendPort: UInt16 = 0
    private var network = NetworkSwitches()
    private var isStopped = false
    private var tasks: [Task<Void, Never>] = []

    init(root: URL, port: UInt16, posts: Int, appOptions: [String] = []) throws {
        self.appOptions = appOptions
        self.root = root
        self.posts = posts
        executable = URL(filePath: CommandLine.arguments[0])
        apps = [("Ada", 0), ("Grace", 1)].map { user, offset in
            App(user: user, port: port == 0 ? 0 : port &+ offset, process: nil)
        }
    }

    func start() async throws {
        try await startBackend()
        for index in apps.indices { try await startApp(index) }
        for app in apps { Transcript.say("open http://127.0.0.1:\(app.port)/ (\(app.user))") }
        for index in apps.indices { tasks.append(Task { await keepApp(index) }) }
    }

    func stop() async {
        isStopped = true
        for task in tasks { task.cancel() }
        for app in apps { await app.process?.kill() }
        await backend?.process.kill()
    }

    // MARK: - The backend

    private func startBackend() async throws {
        let process = try ClientProcess(
            executable,
            [
                "backend", "--port", "\(backendPort)", "--database", root.appending(path: "backend.sqlite").path,
                "--posts", "\(posts)", "--everyday", "--ends-with-input",
            ])
        guard let line = try await process.nextLine(),
            let url = URL(string: String(line.split(separator: " ").last ?? "")),
            let port = url.port
        else { throw ClientProcessError.notReady }
        backendPort = UInt16(port)
        backend = (process, url)
        await applyNetwork()
    }

    private func setBackend(isUp: Bool) async {
        do {
            if isUp, backend == nil {
                try await startBackend()
            } else if !isUp, let running = backend {
                backend = nil
                await running.process.kill()
            }
        } catch {
            Transcript.say("the backend does not start: \(error)")
        }
        network.take(["backend": backend == nil ? "down" : "up"])
        tellNetwork()
    }

    /// Sets the behavior of the backend according to the switches.
    private func applyNetwork() async {
        guard let url = backend?.url else { return }
        do {
            _ = try await APIClient(baseURL: url, token: { nil }).send("PUT", "/control/faults", body: network.faults)
        } catch {
            Transcript.say("the backend does not take the switches: \(error)")
        }
    }

    // MARK: - The apps

    private func startApp(_ index: Int) async throws {
        let app = apps[index]
        let process = try ClientProcess(
            executable,
            [
                "app", "--backend", "http://127.0.0.1:\(backendPort)", "--user", app.user, "--folder",
                root.appending(path: app.user).path, "--port", "\(app.port)",
            ] + appOptions)
        guard let line = try await process.nextLine(),
            let url = URL(string: String(line.split(separator: " ").last ?? "")),
            let port = url.port
        else { throw ClientProcessError.notReady }
        apps[index].port = UInt16(port)
        apps[index].process = process
        tellNetwork()
    }

    /// Handles the requests of an app, and restarts it when it has ended.
    private func keepApp(_ index: Int) async {
        while !isStopped, !Task.isCancelled {
            do {
                while let line = try await apps[index].process?.nextLine() { await obey(line) }
                guard !isStopped else { return }
                apps[index].process = nil
                Transcript.say("\(apps[index].user)'s app ended and starts again")
                try await startApp(index)
            } catch {
                // Without a backend it cannot sign in; it is tried again.
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
    }

    private func obey(_ line: String) async {
        switch line {
        case "backend up": await setBackend(isUp: true)
        case "backend down": await setBackend(isUp: false)
        case let line where line.hasPrefix("network "):
            guard let message = AppJSON(Data(line.dropFirst(8).utf8)) else { return }
            network.take([
                "latency": message["latency"] ?? 0, "loss": message["loss"] ?? 0, "status": message["status"] ?? 0,
            ])
            await applyNetwork()
            tellNetwork()
        default: Transcript.say(line)
        }
    }

    private func tellNetwork() {
        let line = "network " + String(decoding: network.weather.bytes, as: UTF8.self)
        for app in apps {
            do {
                try app.process?.say(line)
            } catch {
                // It has ended, and is told when it starts again.
            }
        }
    }
}
