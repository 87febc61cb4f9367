import Foundation
public import PaginatorHTTP

/// A repository as the API tells it.
public nonisolated struct Repository: Codable, Sendable, Identifiable, Hashable {
    /// The API's number of it.
    public let id: Int
    /// Its name, by which the API sorts.
    public let name: String
    /// How many users have starred it.
    public var stars: Int
    /// Whether the user has starred it.
    public var isStarred: Bool

    /// Makes a repository.
    public init(id: Int, name: String, stars: Int = 0, isStarred: Bool = false) {
        (self.id, self.name, self.stars, self.isStarred) = (id, name, stars, isStarred)
    }

    /// The repository with or without the user's star, whatever it had.
    func starred(_ isStarred: Bool) -> Repository {
        let change = isStarred == self.isStarred ? 0 : isStarred ? 1 : -1
        return Repository(id: id, name: name, stars: stars + change, isStarred: isStarred)
    }
}

/// The API: pages of what is searched for, and stars.
public nonisolated struct RepositoryAPI: Sendable {
    private let address: String
    private let session = HTTPSession()
    private let authentication: HTTPAuthentication

    /// Makes the API at an address, for the user whom a token belongs to.
    public init(address: String, token: @escaping @Sendable () async throws -> String) {
        self.address = address
        authentication = .bearer(token)
    }

    /// The repositories whose names contain the scope of a request.
    public var repositories: HTTPDataSource<Repository> {
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = authentication
        options.prepare = { $0.set("q", to: $0.scope) }
        return HTTPDataSource(
            HTTPEndpoint(address + "/search/repositories"), items: "items", style: .linkHeader(total: "total_count"),
            options: options)
    }

    /// Sets or takes the user's star.
    public func setStar(_ isStarred: Bool, of repository: Repository) async throws {
        let request = HTTPEndpoint("\(address)/user/starred/\(repository.name)", method: isStarred ? "PUT" : "DELETE")
        _ = try await session.send(request, authentication: authentication)
    }
}
