package import ChatWire
package import MediaLoader
package import PaginatorCore

/// Avatars, thumbnails and media of the chat, through the app's media loader: one request for each, cached, and
/// cancelled when a row is scrolled away.
package struct ChatMedia: Sendable {
    private static let avatarWidth = 96
    private static let thumbnailWidth = 480

    private let loader: MediaLoader

    package init(_ loader: MediaLoader) { self.loader = loader }

    /// Loads a contact's picture; steps are delivered on a background queue.
    ///
    /// - Returns: the request, which can be cancelled; `nil` if the contact has no picture.
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
        path.flatMap(MediaPath.init).map { loader.image($0, shownWidth: width, onStep: onStep) }
    }

    /// Prefetches the pictures that are likely to be shown next; the loader holds them back on a weak link and in low
    /// power.
    package func prefetch(avatars users: [User]) -> PaginatorExecution {
        loader.prefetch(users.compactMap { MediaPath($0.avatarUrl) }, shownWidth: Self.avatarWidth)
    }

    package func prefetch(thumbnails attachments: [ChatAttachment]) -> PaginatorExecution {
        loader.prefetch(
            attachments.compactMap(\.thumbnailPath).compactMap(MediaPath.init), shownWidth: Self.thumbnailWidth)
    }
}
