import RichText

/// Screens as text, for terminals and for tests: what a view would show of a state.
package enum TextFrames {
    private static let width = 64

    /// The feed's screen, of which some rows are visible.
    package static func feed(_ state: FeedState, rows: Range<Int> = 0..<3) -> String {
        var lines = [bar("Feed" + (state.isOffline ? " (offline)" : "") + (state.isRefreshing ? " …" : ""))]
        if state.isSignedOut {
            lines.append("! You were signed out. What you did is kept until you")
            lines.append("  sign in again. [sign in]")
        } else if let message = state.errorMessage {
            lines.append("! \(message) [retry]")
        }
        if state.newAbove > 0 { lines.append("↑ \(state.newAbove) new post\(state.newAbove == 1 ? "" : "s") [show]") }
        for post in state.failedPosts {
            lines.append("! Not sent: \(cut(post.summary)) [resend] [discard]")
        }
        for post in state.sendingPosts { lines.append("^ Sending, \(Int(post.progress * 100)) %") }
        if state.isLoading { lines += placeholders }
        lines += posts(state.items, rows)
        if state.isPaging { lines.append("…") }
        if state.isAtEnd { lines.append("— that is all —") }
        return close(lines)
    }

    /// The screen of one user.
    package static func profile(_ state: ProfileState, rows: Range<Int> = 0..<3) -> String {
        var lines = [bar(state.items.first.map { "Posts of \($0.authorName)" } ?? "Profile")]
        if let message = state.errorMessage { lines.append("! \(message) [retry]") }
        if state.isLoading { lines += placeholders }
        lines += posts(state.items, rows)
        return close(lines)
    }

    /// The screen of one post.
    package static func detail(_ state: PostDetailState) -> String {
        var lines = [bar("Post")]
        if let message = state.errorMessage { lines.append("! \(message) [retry]") }
        if state.isLoading { lines += placeholders }
        if state.isGone { lines.append("This post is not there any more.") }
        if let post = state.post {
            lines.append(post.author.name)
            lines += state.text?.lines(width: width - 2) ?? placeholders
            for attachment in post.attachments {
                lines.append("[\(attachment.type)] \(attachment.caption ?? "")".trimmed)
            }
            let mark = post.isBookmarked ? " · bookmarked" : ""
            lines.append("\(heart(post.isLiked)) \(post.likeCount) · \(post.shareCount) shared\(mark)")
        }
        for comment in state.comments {
            lines.append("  \(comment.author.name): \(cut(comment.content))\(comment.id < 0 ? " (sending)" : "")")
        }
        return close(lines)
    }

    private static let placeholders = ["░░░░░░░░", "░░░░░░░░░░░░░░░░"]

    private static func posts(_ items: PostRows, _ rows: Range<Int>) -> [String] {
        items.indices.clamped(to: rows).flatMap { index -> [String] in
            let row = items[index]
            let files = row.attachmentCount == 0 ? "" : " · \(row.attachmentCount) files"
            let sending = row.isSending ? " · sending" : ""
            return [
                row.authorName, cut(row.text),
                "\(heart(row.isLiked)) \(row.likeCount) · \(row.commentCount) comments\(files)\(sending)",
            ]
        }
    }

    private static func heart(_ isLiked: Bool) -> String { isLiked ? "♥" : "♡" }

    private static func cut(_ text: String) -> String {
        let line = text.replacing("\n", with: " ")
        return line.count <= width ? line : String(line.prefix(width - 1)) + "…"
    }

    private static func bar(_ title: String) -> String {
        "┌ \(title) " + String(repeating: "─", count: max(0, width - title.count - 3))
    }

    private static func close(_ lines: [String]) -> String {
        ([lines[0]] + lines.dropFirst().map { "│ \($0)" } + ["└" + String(repeating: "─", count: width - 1)])
            .joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
