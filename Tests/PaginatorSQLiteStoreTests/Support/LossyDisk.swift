import CTestVFS
import Foundation
import PaginatorTesting

/// What a folder on a disk may hold after the power was cut.
///
/// What was written since a file's last sync may be there, be missing, be torn, or be there without what was written before
/// it. Names of files change in order, and for certain once the folder was synced: with the first sync of a journal or WAL,
/// and with a removal that asks for it (https://www.sqlite.org/atomiccommit.html, section 3).
struct LossyDisk {
    enum Loss: CaseIterable {
        /// Nothing that was not synced is there.
        case all
        /// All is there, but the last write is torn.
        case lastIsTorn
        /// Some of it is there, some of that torn, in any order.
        case some
        /// The last writes are there, the first ones are not.
        case first
    }

    private struct File {
        /// What is there for certain.
        var bytes: [UInt8] = []
        /// What was done since.
        var pending: [Change] = []
        var wasSynced = false
    }

    fileprivate enum Change {
        case write(offset: Int, bytes: [UInt8])
        case resize(Int)
    }

    private enum Renaming {
        case create(String, Int)
        case remove(String)
    }

    private var files: [File] = []
    private var names: [String: Int] = [:]
    private var namesForCertain: [String: Int] = [:]
    private var pendingNames: [Renaming] = []

    /// Does a call; `name` is that of its file.
    mutating func take(_ call: powervfs_call, name: String) {
        switch call.kind {
        case powervfs_create:
            names[name] = files.count
            pendingNames.append(.create(name, files.count))
            files.append(File())
        case powervfs_remove:
            names[name] = nil
            pendingNames.append(.remove(name))
            if call.count != 0 { syncNames() }
        case powervfs_write:
            guard let file = names[name] else { return }
            let bytes = Array(UnsafeBufferPointer(start: call.bytes, count: Int(call.count)))
            files[file].pending.append(.write(offset: Int(call.offset), bytes: bytes))
        case powervfs_truncate:
            guard let file = names[name] else { return }
            files[file].pending.append(.resize(Int(call.offset)))
        default:
            guard let file = names[name] else { return }
            for change in files[file].pending { change.apply(to: &files[file].bytes) }
            files[file].pending = []
            if !files[file].wasSynced, name.hasSuffix("-wal") || name.hasSuffix("-journal") { syncNames() }
            files[file].wasSynced = true
        }
    }

    private mutating func syncNames() {
        namesForCertain = names
        pendingNames = []
    }

    /// The files that are there after the power was cut now, if that is what was lost.
    func afterPowerLoss(_ loss: Loss, _ random: inout SeededRandom) -> [String: [UInt8]] {
        let renamings =
            switch loss {
            case .all: 0
            case .lastIsTorn, .first: pendingNames.count
            case .some: random.number(in: 0..<pendingNames.count + 1)
            }
        var there = namesForCertain
        for renaming in pendingNames.prefix(renamings) {
            switch renaming {
            case .create(let name, let file): there[name] = file
            case .remove(let name): there[name] = nil
            }
        }
        var result: [String: [UInt8]] = [:]
        for (name, file) in there.sorted(by: { $0.key < $1.key }) {
            result[name] = bytes(of: files[file], loss, &random)
        }
        return result
    }

    private func bytes(of file: File, _ loss: Loss, _ random: inout SeededRandom) -> [UInt8] {
        var changes = file.pending
        switch loss {
        case .all: changes = []
        case .lastIsTorn:
            if let last = changes.popLast() { changes.append(last.torn(&random)) }
        case .some:
            changes = changes.filter { _ in random.chance(0.5) }.map { random.chance(0.3) ? $0.torn(&random) : $0 }
            changes.shuffle(using: &random)
        case .first:
            changes.removeFirst(random.number(in: 0..<changes.count + 1))
        }
        var bytes = file.bytes
        for change in changes { change.apply(to: &bytes) }
        return bytes
    }
}

extension LossyDisk.Change {
    fileprivate func apply(to file: inout [UInt8]) {
        switch self {
        case .write(let offset, let bytes):
            if file.count < offset + bytes.count {
                file.append(contentsOf: repeatElement(0, count: offset + bytes.count - file.count))
            }
            file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case .resize(let size):
            if size < file.count {
                file.removeLast(file.count - size)
            } else {
                file.append(contentsOf: repeatElement(0, count: size - file.count))
            }
        }
    }

    /// The beginning or the end of the write.
    fileprivate func torn(_ random: inout SeededRandom) -> Self {
        guard case .write(let offset, let bytes) = self else { return self }
        let cut = random.number(in: 0..<bytes.count)
        return random.chance(0.5)
            ? .write(offset: offset, bytes: Array(bytes[..<cut]))
            : .write(offset: offset + cut, bytes: Array(bytes[cut...]))
    }
}
