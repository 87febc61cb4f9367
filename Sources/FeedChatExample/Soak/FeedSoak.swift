import ExampleBackend
package import Foundation

/// Clients that are killed at random moments while the network loses requests and answers: everything that a client has
/// written must arrive, in order, once.
package struct FeedSoak: Sendable {
    package let executable: URL

    package init(executable: URL) {
        self.executable = executable
    }

    /// Runs one round: its own backend, one client, several lives of the client.
    ///
    /// - Returns: the violations; empty if there are none.
    package func round(seed: UInt64, lives: Int = 3, operations: Int = 12) async throws -> [String] {
        var random = SeededNumbers(seed: seed)
        var configuration = BackendConfiguration()
        configuration.corpusSize = 30
        configuration.seed = seed
        configuration.clientConfig.retry.attemptLimit = 100
        configuration.clientConfig.retry.backoffBaseMilliseconds = 5
        configuration.clientConfig.retry.backoffCapMilliseconds = 40
        let server = try BackendServer(configuration)
        let url = try await server.start()
        let root = FileManager.default.temporaryDirectory.appending(path: "feed-soak-\(UUID().uuidString)")
        defer {
            // The system cleans up the temporary folder.
            try? FileManager.default.removeItem(at: root)
        }

        var written = WrittenOperations()
        var client = try await ClientProcess(executable, url: url, root: root, signIn: "Soak")
        let posts = (try await client.ask("load") ?? "").split(separator: " ").compactMap { Int64($0) }.prefix(4)
        guard !posts.isEmpty else { return ["the feed did not load"] }
        for life in 0..<lives {
            var weather = BackendFaults.Weather()
            weather.lostRequests = Double(random.below(25)) / 100
            weather.lostAnswers = Double(random.below(25)) / 100
            weather.serverErrors = Double(random.below(20)) / 100
            weather.latency = random.below(4)
            server.faults.set(weather)
            let isCutShort = random.below(2) == 0
            let count = 1 + random.below(operations)
            for number in 0..<count {
                let (line, post) = Self.operation(life, number, Array(posts), &random)
                if isCutShort, number == count - 1 {
                    // The last command may be interrupted anywhere.
                    try client.say(line)
                    written.maybe(line)
                } else if let answer = try await client.ask(line) {
                    written.surely(line, on: post, answer)
                }
            }
            await client.kill()
            if random.below(3) == 0 {
                await server.stop()
                try await server.start()
            }
            server.faults.heal()
            client = try await ClientProcess(executable, url: url, root: root)
        }
        while let waiting = try await client.ask("waiting"), waiting != "0" { await Task.yield() }
        try await client.quit()
        let user = try server.accounts.user(named: "Soak")
        var complaints = written.complaints(about: try server.feed.interactions(of: user))
        complaints += try written.complaints(aboutPosts: server.feed.posts(of: user))
        complaints += try written.complaints(aboutComments: posts.flatMap { try server.feed.comments(on: $0) })
        await server.stop()
        return complaints.map { "seed \(seed): \($0)" }
    }

    private static func operation(
        _ life: Int, _ number: Int, _ posts: [Int64], _ random: inout SeededNumbers
    ) -> (line: String, post: Int64) {
        let post = posts[random.below(posts.count)]
        switch random.below(8) {
        case 0: return ("post <p>life \(life) number \(number)</p>", post)
        case 1: return ("comment \(post) life \(life) number \(number)", post)
        case 2...3: return ("share \(post)", post)
        case 4...5: return ("like \(post)", post)
        default: return ("unlike \(post)", post)
        }
    }
}

/// The operations that clients have written: certainly, if they confirmed them, or possibly.
struct WrittenOperations {
    private var interactions: [Int64: [String]] = [:]
    private var texts: [String] = []
    private var possibleTexts: Set<String> = []

    mutating func surely(_ line: String, on post: Int64, _ answer: String) {
        if let text = Self.text(line) { texts.append(text) } else { interactions[post, default: []].append(answer) }
    }

    mutating func maybe(_ line: String) {
        if let text = Self.text(line) { possibleTexts.insert(text) }
    }

    private static func text(_ line: String) -> String? {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "post": return line.split(separator: " ", maxSplits: 1).last.map(String.init)
        case "comment": return words.last
        default: return nil
        }
    }

    func complaints(about taken: [TakenInteraction]) -> [String] {
        var complaints: [String] = []
        if Set(taken.map(\.requestId)).count != taken.count { complaints.append("a request took effect twice") }
        for (post, expected) in interactions {
            let found = taken.filter { $0.postId == post }.map(\.requestId)
            // The rows' numbers are the suffix of the requests' ids.
            let numbers = found.compactMap { Int($0.split(separator: "-").last ?? "") }
            if numbers != numbers.sorted() { complaints.append("post \(post): not in order: \(found)") }
            let missing = expected.filter { !found.contains($0) }
            if !missing.isEmpty { complaints.append("post \(post): lost \(missing)") }
        }
        return complaints
    }

    func complaints(aboutPosts found: [String]) -> [String] { complaints(about: found, where: { $0.hasPrefix("<p>") }) }

    func complaints(aboutComments found: [String]) -> [String] {
        complaints(about: found, where: { !$0.hasPrefix("<p>") })
    }

    private func complaints(about found: [String], where isOfKind: (String) -> Bool) -> [String] {
        var complaints: [String] = []
        for text in texts.filter(isOfKind) where found.count(where: { $0 == text }) != 1 {
            complaints.append("“\(text)” arrived \(found.count { $0 == text }) times")
        }
        for text in possibleTexts.filter(isOfKind) where found.count(where: { $0 == text }) > 1 {
            complaints.append("“\(text)” arrived more than once")
        }
        return complaints
    }
}
