/// What the user should learn of though they look at something else: the system shows it, and a tap leads to its route.
package struct FeedNotification: Sendable, Hashable {
    package let title: String
    package let text: String
    package let route: FeedRoute

    package init(title: String, text: String, route: FeedRoute) {
        self.title = title
        self.text = text
        self.route = route
    }

    static func postNotSent(_ request: PostRequest) -> FeedNotification {
        FeedNotification(title: "Your post was not sent. Try again?", text: request.summary, route: .feed)
    }

    static func commentNotSent(_ request: CommentRequest) -> FeedNotification {
        FeedNotification(
            title: "Your comment was not sent. Try again?", text: request.content, route: .post(request.postID))
    }
}
