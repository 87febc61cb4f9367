#if canImport(Darwin)
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
}
