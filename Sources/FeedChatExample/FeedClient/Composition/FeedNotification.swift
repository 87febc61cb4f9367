import AppFoundation

/// A notification for a user who looks at something else: the system shows it, and a tap opens its route.
package struct FeedNotification: Sendable, Hashable {
    package let title: String
    package let text: String
    package let route: FeedRoute

    package init(title: String, text: String, route: FeedRoute) {
        self.title = title
        self.text = text
        self.route = route
    }

    static func postNotSent(_ request: PostRequest, _ texts: AppTexts) -> FeedNotification {
        FeedNotification(title: texts.postNotSent, text: request.summary, route: .feed)
    }

    static func commentNotSent(_ request: CommentRequest, _ texts: AppTexts) -> FeedNotification {
        FeedNotification(
            title: texts.commentNotSent, text: request.content, route: .post(request.postID))
    }
}
