#if canImport(Darwin)
    import Foundation
#endif

/// What Apple's systems keep with a file.
enum AppleFileAttributes {
    /// Leaves the database and what lies beside it out of backups: it can be loaded again.
    static func excludeFromBackup(_ path: String) {
        #if canImport(Darwin)
            for suffix in ["", "-wal", "-shm"] {
                var url = URL(fileURLWithPath: path + suffix)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                // A volume without such attributes has no backups of that kind either.
                try? url.setResourceValues(values)
            }
        #endif
    }
}
