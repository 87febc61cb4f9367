package import ChatWire

/// The attachment of a message that the server has not accepted yet. Its files are in ``OutgoingFiles``.
package struct OutgoingAttachment: Codable, Sendable, Hashable {
    /// The attachment for the recipient; the paths are set after the uploads.
    package var told: ChatAttachment
    /// Whether it has a file, and a file of its thumbnail.
    package var hasFile = false
    package var hasThumbnail = false
    package var uploadIDs: [Int64] = []
    /// The share of the file that the server has, 0 to 1.
    package var progress = 0.0

    package init(_ told: ChatAttachment) { self.told = told }

    /// Whether files have to be uploaded before the message can be sent.
    package var isUploading: Bool {
        (hasFile && told.path == nil) || (hasThumbnail && told.thumbnailPath == nil)
    }

    /// Whether a file was uploaded.
    var hasUploads: Bool { hasFile && (told.path != nil || told.thumbnailPath != nil) }

    /// Lets its files be uploaded again.
    mutating func forgetUploads() {
        if hasFile { (told.path, told.thumbnailPath, progress) = (nil, nil, 0) }
    }
}
