package import ChatWire
package import MediaLoader
package import PaginatorCore

/// Avatars, thumbnails and media of the chat, by the app's media loader: one request for each, cached, cancelled where a
/// row is scrolled away.
package struct ChatMedia: Sendable {
    private static let avatarWidth = 96
    private static let thumbnailWidth = 480

    private let loader: MediaLoader

    package init(_ loader: MediaLoader) { self.loader = loader }

    /// Loads a contact's picture; steps come on a background queue.
    ///
    /// - Returns: what cancels it; `nil` where the contact has none.
    package func avatar(of user: User, onStep: @escaping @Sendable (ImageStep) -> Void) -> ImageRequest? {
        load(user.avatarUrl, Self.avatarWidth, onStep)
    }

    /// Loads the small image of an attachment.
    package func thumbnail(
        of attachment: ChatAttachment, onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest? {
        load(attachment.thumbnailPath, Self.thumbnailWidth, onStep)
    }

    /// Loads an image or a video that the user has opened.
    package func content(
        of attachment: ChatAttachment, onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest? {
        load(attachment.path, nil, onStep)
    }

    /// Removes everything from the caches; it is loaded again when it is shown.
    package func removeAll() async { await loader.removeAll() }

    private func load(
        _ path: String?, _ width: Int?, _ onStep: @escaping @Sendable (ImageStep) -> Void
    ) -> ImageRequest? {
        Self.path(path).map { loader.image($0, shownWidth: width, onStep: onStep) }
    }

    /// Loads ahead what is likely to be shown next; the loader holds it back over a weak link and in low power.
    package func prefetch(avatars users: [User]) -> PaginatorExecution {
        loader.prefetch(users.compactMap { Self.path($0.avatarUrl) }, shownWidth: Self.avatarWidth)
    }

    package func prefetch(thumbnails attachments: [ChatAttachment]) -> PaginatorExecution {
        loader.prefetch(attachments.compactMap { Self.path($0.thumbnailPath) }, shownWidth: Self.thumbnailWidth)
    }

    /// A path as others tell it: nothing but an image or an upload of the app's own server is asked for.
    static func path(_ text: String?) -> MediaPath? {
        guard let text, text.hasPrefix("/cdn/"), !text.contains(".."), !text.contains("?"), text.utf8.count <= 300
        else {
            return nil
        }
        return MediaPath(text)
    }
}
