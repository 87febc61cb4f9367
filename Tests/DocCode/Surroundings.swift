// What the code in doc comments takes for given. Nothing of it runs: `scripts/doc-code` type-checks it.
import Dispatch
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorHTTP
import PaginatorInspector
import PaginatorSQLiteStore
import PaginatorStorage
import PaginatorTesting
import PaginatorUI

func given<Value>(_: Value.Type = Value.self) -> Value { fatalError("Code in doc comments does not run.") }

// MARK: - The app: its model, its server, its screen

struct Post: Codable, Hashable, Identifiable, Sendable {
    var id: Int
    var day: Day

    func liked() -> Post { self }
    func with(likes: Int) -> Post { self }
    var likes: Int { 0 }
    var version: Int { 0 }
}
enum PostChange: Codable, Sendable {
    case updated(Post)
    case removed(Int)
    case added(Post)
}
struct Day: Codable, Hashable, Sendable {}
struct PostLiked: Sendable { var id: Int }
struct GitHubIssue: Codable, Sendable {}
struct Repository: Codable, Sendable { var id: Int }
final class Thumbnail: Sendable { let byteCount = 0 }

struct API: Sendable {
    struct Answer: Sendable { var posts: [Post], next: String? }
    struct Task: Sendable { func cancel() {} }
    struct Socket: Sendable { func close() {} }
    enum Message: Sendable {
        case opened
        case change(PostChange, id: String)
        case closed(any Error)
    }
    func openSocket(after id: String?, _ handler: @escaping @Sendable (Message) -> Void) -> Socket { given() }
    func posts(offset: String, limit: Int) async throws -> Answer { given() }
    func posts(
        offset: String, limit: Int = 30,
        _ completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
    ) -> Task { given() }
    func search(
        _ text: String, from key: String, count: Int,
        _ completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
    ) -> Task { given() }
    func like(_ id: Int, _ completion: @escaping @Sendable (Result<Post, any Error>) -> Void) {}
}
let api = API()

struct ScreenModel: Sendable {
    var rows: [Post] { [] }
    func reload() {}
}
let model = ScreenModel()
let session: HTTPSession = given()
let account: HTTPAuthentication = given()

struct City: Sendable {}
let cities: [City] = given()
let (post, page, first, thumbnail): (Post, PaginatorPage<Post>, PaginatorPage<Post>, Thumbnail) = given()
let (id, answer): (Int, API.Answer) = given()

func failing() async throws(PaginatorError) {}
func show(_ items: some Any, isStale: Bool = false, at distance: Int = 0) {}
func log(_ event: PaginatorEvent) {}
func save(_ bookmark: PaginatorListBookmark) {}
func use(_ style: some HTTPPagingStyle) {}
func finish(_ isComplete: Bool) {}
func showEnd() {}
func whenTimeIsUp(_ stop: @escaping @Sendable () -> Void) {}

struct Screen: Sendable {
    func apply(_ difference: Any, _ status: Any) {}
}
let view = Screen()
struct Tokens: Sendable {
    var current: String { get async { given() } }
    func renew() async throws -> String { given() }
}
let tokens = Tokens()
final class Database: Sendable {
    struct Writer: Sendable { func upsert(_ posts: [Post], replacingAll: Bool) throws {} }
    func observePosts(_ handler: @escaping @Sendable (Post) -> Void) -> API.Task { given() }
    func write(
        _ change: @escaping @Sendable (Writer) throws -> Void,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {}
}
let database = Database()
func PostTable(_ database: Database) -> AsyncDataSource<Post> { given() }
func PostAPI() -> AsyncDataSource<Post> { given() }
final class SavedPlace: Sendable {
    var lastEventID: String? {
        get { nil }
        set {}
    }
}
let saved: SavedPlace = given()
struct FeedModel {
    init(_ paginator: some Paginator<Post>) {}
    func load() {}
}
let toTesting: FailureReport = given()
struct Outage: Error {}
struct Analytics: Sendable { func track(_ name: String, _ attributes: [String: String]) {} }
let (analytics, logger): (Analytics, PaginatorLogger) = given()
extension Analytics: PaginatorObserver { func paginatorDidReport(_ event: PaginatorEvent) {} }

// MARK: - What is made of the library

let posts: AsyncDataSource<Post> = given()
let source: ScriptedDataSource<Post> = given()
let validator: AnyPageValidator<Post> = given()
let (paginator, feed, comments): (CallbackPaginator<Post>, CallbackPaginator<Post>, CallbackPaginator<Post>) = given()
let list: PaginatorList<Post, Post.ID> = given()
nonisolated(unsafe) var config: DefaultPaginatorConfig = given()
let store: ScriptedStore<Post> = given()
let group: ConsistencyGroup<PostLiked> = given()
let (changes, likes): (PushSource<PostChange>, PushSource<PostLiked>) = given()
let scheduler: PaginatorScheduler = given()
let (previews, details): (CallbackPaginator<Post>, CallbackPaginator<Post>) = given()
let (folder, query): (String, String) = given()
let savedBookmark: PaginatorListBookmark = given()
let update: PaginatorListUpdate<Post, Post.ID> = given()
let clock: ManualPaginatorClock = given()
let inspector: PaginatorInspector = given()
let (recordingFile, message): (URL, Data) = given()
let executor: SimulatedExecutor = given()
let listener: RecordingListener<Post> = given()

// MARK: - The app's own store, validator and eviction, and what they are tested with

typealias MyStore = ScriptedStore
extension ScriptedStore { convenience init(folder: String) throws { self.init() } }
func temporaryFolder() -> String { given() }
func MyStrategy(maxPages: Int) -> any PaginatorEvictionStrategy { given() }
func MyPosts(server stub: Int) -> AsyncDataSource<Post> { given() }
func SignatureValidator(key: String) -> AnyPageValidator<Post> { given() }
let (good, unsigned, key, stub): (PaginatorPage<Post>, PaginatorPage<Post>, String, Int) = given()
let (identity, data): (PageIdentity, Data) = given()
nonisolated(unsafe) var files: [PageIdentity: Data] = [:]
