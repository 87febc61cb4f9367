import CTestVFS

enum TestVFS {
    /// Registers the VFSs once.
    static let isRegistered = testvfs_register() == 0

    /// The VFS that leaves out syncs: what a test does not cut the power for, needs none.
    static var unsynced: String? { isRegistered ? String(cString: testvfs_unsynced_name) : nil }
}
