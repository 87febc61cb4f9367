package import ChatWire

/// What goes with a message that the server has not taken yet. Its files stand in ``OutgoingFiles``.
package struct OutgoingAttachment: Codable, Sendable, Hashable {
    /// What the recipient will be told; the paths come with the uploads.
    package var told: ChatAttachment
    /// Whether there is a file of the user's, and one of its thumbnail.
    package var hasFile = false
    package var hasThumbnail = false
    package var uploadIDs: [Int64] = []
    /// The share of the file that the server has, 0 to 1.
    package var progress = 0.0

    package init(_ told: ChatAttachment) { self.told = told }

    /// Whether files have to go up before the message can.
    package var isUploading: Bool {
        (hasFile && told.path == nil) || (hasThumbnail && told.thumbnailPath == nil)
    }
}
