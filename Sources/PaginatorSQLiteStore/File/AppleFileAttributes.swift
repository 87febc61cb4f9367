#if canImport(Darwin)
    import Darwin
    import Foundation
#endif

/// File attributes of Apple's systems.
enum AppleFileAttributes {
    /// Excludes the database and the files beside it from backups, because pages can be loaded again.
    static func excludeFromBackup(_ path: String) {
        #if canImport(Darwin)
            for suffix in ["", "-wal", "-shm"] {
                var url = URL(fileURLWithPath: path + suffix)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                // A volume without such attributes is not backed up either.
                try? url.setResourceValues(values)
            }
        #endif
    }

    /// Creates an empty file that can be opened on a locked device, after it was unlocked once, as the database can; an
    /// existing one stays as it is. By the app's default, background work might not open it, or not even create it.
    static func createReadableWhenLocked(_ path: String) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // It exists, or the caller's attempt to create it reports why it cannot.
            try? Data().write(
                to: URL(fileURLWithPath: path),
                options: [.withoutOverwriting, .completeFileProtectionUntilFirstUserAuthentication])
        #endif
    }

    /// Gives a file that exists the same protection.
    static func setReadableWhenLocked(_ descriptor: Int32) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // 3 is the class C, complete until the first user authentication. Where there is no data protection, as in
            // the simulator, this fails, and is not needed.
            _ = fcntl(descriptor, F_SETPROTECTIONCLASS, 3)
        #endif
    }
}
