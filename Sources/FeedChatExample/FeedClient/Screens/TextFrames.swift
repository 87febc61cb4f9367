import AppFoundation
import RichText

/// Screens as text, for terminals and tests.
package enum TextFrames {
    private static let width = 64

    /// Returns the feed's screen with the visible rows.
    package static func feed(_ state: FeedState, rows: Range<Int> = 0..<3) -> String {
        let texts = state.texts
        var lines = [
            bar(texts.feed + (state.isOffline ? " (\(texts.offline))" : "") + (state.isRefreshing ? " …" : ""))
        ]
        if state.isSignedOut {
            lines += zip(["! ", "  "], texts.wasSignedOut).map { $0 + $1 }
            lines[lines.count - 1] += " [\(texts.signIn)]"
        } else if let message = state.errorMessage {
            lines.append("! \(message) [\(texts.retry)]")
        }
        if state.newAbove > 0 { lines.append("↑ \(texts.newPosts(state.newAbove)) [\(texts.show)]") }
        for post in state.failedPosts {
            lines.append("! \(texts.notSent(cut(post.summary))) [\(texts.resend)] [\(texts.discard)]")
        }
        for post in state.sendingPosts { lines.append("^ " + texts.sending(Int(post.progress * 100))) }
        if state.isLoading { lines += placeholders }
        lines += posts(state.items, rows, texts)
        if state.isPaging { lines.append("…") }
        if state.isAtEnd { lines.append("— \(texts.thatIsAll) —") }
        return close(lines, texts)
    }

    /// Returns the screen of a user.
    package static func profile(_ state: ProfileState, rows: Range<Int> = 0..<3) -> String {
        let texts = state.texts
        var lines = [bar(state.items.first.map { texts.posts(of: $0.authorName) } ?? texts.profile)]
        if let draft = state.draft {
            lines.append("✎ \(cut(draft.content))\(draft.isInConflict ? " ≠ \(cut(draft.serverContent ?? ""))" : "")")
        } else if let about = state.profile?.about, !about.isEmpty {
            lines.append(cut(about))
        }
        if let message = state.errorMessage { lines.append("! \(message) [\(texts.retry)]") }
        if state.isLoading { lines += placeholders }
        lines += posts(state.items, rows, texts)
        return close(lines, texts)
    }

    /// Returns the screen of the search.
    package static func search(_ state: SearchState, rows: Range<Int> = 0..<3) -> String {
        let texts = state.texts
        var lines = [bar(texts.search(state.text) + (state.isLoading ? " …" : ""))]
        if let message = state.errorMessage { lines.append("! \(message) [\(texts.retry)]") }
        if state.isOfSeenPosts { lines.append(texts.amongSeen) }
        if state.foundNothing { lines.append(texts.nothingFound) }
        for hit in state.items.dropFirst(rows.lowerBound).prefix(rows.count) {
            lines += [hit.authorName, cut(hit.summary)]
        }
        if state.isPaging { lines.append("…") }
        return close(lines, texts)
    }

    /// Returns the screen of a post.
    package static func detail(_ state: PostDetailState) -> String {
        let texts = state.texts
        var lines = [bar(texts.post)]
        if let message = state.errorMessage { lines.append("! \(message) [\(texts.retry)]") }
        if state.isLoading { lines += placeholders }
        if state.isGone { lines.append(texts.isGone) }
        if let post = state.post {
            lines.append(post.author.name)
            lines += state.text?.lines(width: width - 2) ?? placeholders
            for attachment in post.attachments {
                lines.append("[\(attachment.type)] \(attachment.caption ?? "")".trimmed)
            }
            let mark = post.isBookmarked ? " · \(texts.isBookmarked)" : ""
            lines.append("\(heart(post.isLiked)) \(post.likeCount) · \(texts.shared(post.shareCount))\(mark)")
        }
        for comment in state.failedComments {
            let resend = state.isGone ? "" : " [\(texts.resend)]"
            lines.append("! \(texts.notSent(cut(comment.content)))\(resend) [\(texts.discard)]")
        }
        for comment in state.comments {
            lines.append("  " + line(comment, texts))
            guard let thread = state.threads[comment.id] else {
                if comment.replyCount > 0 { lines.append("    [\(texts.replies(comment.replyCount))]") }
                continue
            }
            lines += thread.replies.map { "    " + line($0, texts) }
            if thread.isLoading { lines.append("    …") }
        }
        if let problem = state.commentsProblem, state.problem == nil {
            lines.append("! \(texts.message(problem)) [\(texts.retry)]")
        }
        return close(lines, texts)
    }

    private static func line(_ comment: Comment, _ texts: AppTexts) -> String {
        "\(comment.author.name): \(cut(comment.content))\(comment.id < 0 ? " (\(texts.isSending))" : "")"
    }

    private static let placeholders = ["░░░░░░░░", "░░░░░░░░░░░░░░░░"]

    private static func posts(_ items: PostRows, _ rows: Range<Int>, _ texts: AppTexts) -> [String] {
        rows.clamped(to: items.indices).flatMap { index -> [String] in
            let row = items[index]
            let files = row.attachmentCount == 0 ? "" : " · \(texts.files(row.attachmentCount))"
            let shares = row.shareCount == 0 ? "" : " · \(texts.shared(row.shareCount))"
            let sending = row.isSending ? " · \(texts.isSending)" : ""
            return [
                row.authorName, cut(row.text),
                "\(heart(row.isLiked)) \(row.likeCount) · \(texts.comments(row.commentCount))\(shares)\(files)\(sending)",
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

    private static func close(_ lines: [String], _ texts: AppTexts) -> String {
        // Each line is a paragraph of its own, which begins at the side of its language.
        let start = texts.language.isRightToLeft ? "\u{200F}" : ""
        return
            ([lines[0]] + lines.dropFirst().map { "│ \($0)" } + ["└" + String(repeating: "─", count: width - 1)])
            .map { start + $0 }
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
