import CTestVFS
import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    /// The power is cut after each call that changes a file.
    @Suite("Power loss")
    struct PowerLossTests {
        /// A page as one expects it back; `items` tells whether an edit was made.
        private struct Row: Equatable {
            var version: Int
            var items = 3
            var isStale = false
        }

        private struct Name: Hashable {
            var scope: String
            var key: String

            var id: PageIdentity { PageIdentity(key: key, pageSize: 10, scope: scope) }
        }

        private enum Step {
            case save(Name, Int)
            case remove(String)
            case invalidate(String)
            case edit(Name)
            case clear(String)

            func apply(to rows: inout [Name: Row]) {
                switch self {
                case .save(let name, let version): rows[name] = Row(version: version)
                case .remove(let key): for name in rows.keys where name.key == key { rows[name] = nil }
                case .invalidate(let key): for name in rows.keys where name.key == key { rows[name]?.isStale = true }
                case .edit(let name): rows[name]?.items = 2
                case .clear(let scope): for name in rows.keys where name.scope == scope { rows[name] = nil }
                }
            }

            var change: StoreChange<SampleItem> {
                switch self {
                case .save(let name, let version):
                    .save(name.id, .sample(name.key, version: version, count: 3, length: 700))
                case .remove(let key): .remove(.key(key))
                case .invalidate(let key): .invalidate(.key(key))
                case .edit(let name): .edit(.identity(name.id), .items(where: { $0.id == 2 }) { _ in nil })
                case .clear(let scope): .remove(.scope(scope))
                }
            }
        }

        private static let names = ["home", "user"].flatMap { scope in (0..<8).map { Name(scope: scope, key: "\($0)") }
        }

        /// What was done, and how many calls had been made then.
        private struct Story {
            var steps: [(before: Int, step: Step)] = []
            /// How many steps had been flushed when so many calls had been made.
            var flushes: [(calls: Int, steps: Int)] = [(0, 0)]
            var rows: [Name: Row] = [:]

            mutating func note(_ step: Step) {
                step.apply(to: &rows)
                steps.append((powervfs_count(), step))
            }
        }

        private func open(_ folder: TemporaryFolder, vfs: String?) throws -> SQLitePageStore<SampleItem> {
            var config = SQLiteStoreConfig()
            config.vfs = vfs
            return try SQLitePageStore(path: folder.file, namespace: "power", config: config)
        }

        /// Works on a store that is opened several times, until at least `calls` calls were made.
        private func work(_ folder: TemporaryFolder, calls: Int, seed: UInt64) throws -> Story {
            var random = SeededRandom(seed: seed)
            var story = Story()
            var version = 0
            while powervfs_count() < calls {
                let store = try open(folder, vfs: String(cString: powervfs_name))
                store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1_000)))
                for _ in 0..<random.number(in: 3..<8) {
                    for _ in 0..<random.number(in: 1..<6) {
                        let name = Self.names[random.number(in: 0..<Self.names.count)]
                        version += 1
                        let step: Step =
                            switch random.number(in: 0..<20) {
                            case 0..<13: .save(name, version)
                            case 13..<15: .remove(name.key)
                            case 15..<17: .invalidate(name.key)
                            case 17..<19: .edit(name)
                            default: .clear(name.scope)
                            }
                        story.note(step)
                        store.applyNow([step.change])
                    }
                    try store.flushNow().get()
                    story.flushes.append((powervfs_count(), story.steps.count))
                }
            }
            return story
        }

        /// What is there after the power was cut when `calls` calls had been made: the rows after some number of steps, at
        /// least those that were flushed.
        private func possible(_ story: Story, after calls: Int) -> [[Name: Row]] {
            let flushed = story.flushes.last { $0.calls <= calls }?.steps ?? 0
            let begun = story.steps.prefix { $0.before <= calls }.count
            var rows: [Name: Row] = [:]
            var all: [[Name: Row]] = []
            for (index, step) in story.steps.prefix(begun).enumerated() {
                if index >= flushed { all.append(rows) }
                step.step.apply(to: &rows)
            }
            all.append(rows)
            return all
        }

        @Test
        func `What was flushed is there, nothing is torn, the order is kept, and the file opens`() throws {
            #expect(powervfs_register() == 0)
            let folder = TemporaryFolder()
            powervfs_start(folder.path)
            defer { powervfs_start(nil) }
            // `scripts/store-long` cuts in all four ways after each of 2,000 calls, the tests in one of them after each of 500.
            let story = try work(folder, calls: isLongRun ? 2_000 : 500, seed: 5)
            let calls = powervfs_count()

            var disk = LossyDisk()
            var random = SeededRandom(seed: 6)
            var seen: Set<Int> = []
            var hasWAL = false
            var writesAfterWAL = 0
            for index in 0..<calls {
                let call = powervfs_get(index)
                let name = URL(fileURLWithPath: String(cString: powervfs_file(call.file))).lastPathComponent
                disk.take(call, name: name)
                if name.hasSuffix("-wal") { hasWAL = true }
                if hasWAL, name == "pages.sqlite", call.kind == powervfs_write { writesAfterWAL += 1 }
                let losses = isLongRun ? LossyDisk.Loss.allCases : [LossyDisk.Loss.allCases[index % 4]]
                for loss in losses {
                    let files = disk.afterPowerLoss(loss, &random)
                    // The same bytes with the same promises give the same answer.
                    var hasher = Hasher()
                    hasher.combine(files)
                    hasher.combine(story.flushes.last { $0.calls <= index + 1 }?.steps)
                    guard seen.insert(hasher.finalize()).inserted else { continue }
                    try check(files, story, after: index + 1, "call \(index), \(name), \(loss)")
                }
            }
            #expect(seen.count > calls / 2)
            #expect(writesAfterWAL > 10, "the WAL was hardly ever copied back")
        }

        private func check(_ files: [String: [UInt8]], _ story: Story, after calls: Int, _ what: String) throws {
            let folder = TemporaryFolder()
            for (name, bytes) in files { try Data(bytes).write(to: folder.url.appendingPathComponent(name)) }
            let store = try open(folder, vfs: TestVFS.unsynced)
            let reports = Reports()
            store.attach(to: reports.environment(.lru(maxPages: 1_000)))
            var found: [Name: Row] = [:]
            for name in Self.names {
                guard let page = try store.loadNow(name.id).get() else { continue }
                #expect(page.isSample(of: name.key), "\(what): the page \(name) is torn")
                found[name] = Row(
                    version: page.version ?? -1, items: page.page.content.count, isStale: page.isInvalidated)
            }
            #expect(possible(story, after: calls).contains(found), "\(what): these rows never stood together: \(found)")
            #expect(reports.kinds.isEmpty, "\(what): \(reports.kinds)")
            #expect(!folder.contents.contains("pages.sqlite-damaged"), "\(what): a sound file was set aside")
            #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"], "\(what)")
        }
    }
}
