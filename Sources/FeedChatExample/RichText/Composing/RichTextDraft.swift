/// A rich text that a user is writing: characters with styles, in paragraphs, limited to valid content.
///
///     var draft = RichTextDraft()
///     draft.insert("Hello Ann", at: 0)
///     draft.set(.bold, on: 0..<5, to: true)
///     draft.mention("u7", name: "Ann", in: 6..<9)
///     let html = draft.html
///
/// Positions count characters; a paragraph ends with one line break. Ranges are clamped to the text. It is a value, so
/// undo can keep earlier ones.
package struct RichTextDraft: Sendable, Hashable {
    private struct Letter: Sendable, Hashable {
        var character: Character
        var style: RichText.Style = []
        var link: RichText.Link?
    }

    private struct Paragraph: Sendable, Hashable {
        var kind: RichText.Kind
        var letters: [Letter] = []
    }

    /// Never empty.
    private var paragraphs: [Paragraph] = [Paragraph(kind: .paragraph)]

    /// Creates an empty draft.
    package init() {}

    /// Creates a draft from a text, such as a post to be edited or a stored draft.
    package init(_ text: RichText) {
        for block in text.blocks {
            var paragraph = Paragraph(kind: block.kind)
            for run in block.runs {
                for character in run.text {
                    if character == "\n" {
                        paragraphs.append(paragraph)
                        paragraph = Paragraph(kind: block.kind)
                    } else {
                        paragraph.letters.append(Letter(character: character, style: run.style, link: run.link))
                    }
                }
            }
            paragraphs.append(paragraph)
        }
        if paragraphs.count > 1 { paragraphs.removeFirst() }
    }

    /// The characters, paragraphs separated by line breaks.
    package var text: String {
        paragraphs.map { String($0.letters.map(\.character)) }.joined(separator: "\n")
    }

    /// The number of positions.
    package var count: Int { paragraphs.reduce(-1) { $0 + $1.letters.count + 1 } }

    /// The text to send and show: empty paragraphs are omitted, lists are numbered.
    package var richText: RichText {
        var number = 0
        return RichText(
            paragraphs.compactMap { paragraph in
                guard paragraph.letters.contains(where: { !$0.character.isWhitespace }) else {
                    number = 0
                    return nil
                }
                var kind = paragraph.kind
                if case .numberedItem = kind {
                    number += 1
                    kind = .numberedItem(number)
                } else {
                    number = 0
                }
                var runs: [RichText.Run] = []
                for letter in paragraph.letters {
                    if let last = runs.last, last.style == letter.style, last.link == letter.link {
                        runs[runs.count - 1].text.append(letter.character)
                    } else {
                        runs.append(RichText.Run(String(letter.character), letter.style, link: letter.link))
                    }
                }
                return RichText.Block(kind, runs)
            })
    }

    /// The draft as HTML.
    package var html: String { richText.html }

    // MARK: Writing

    /// Inserts text in the style of the character before it, or in a given one; line breaks begin paragraphs.
    ///
    /// Characters that control terminals or reorder text are omitted.
    package mutating func insert(_ text: String, at position: Int, style: RichText.Style? = nil) {
        var (index, offset) = place(position)
        let before = offset > 0 ? paragraphs[index].letters[offset - 1] : nil
        // Text inserted at the end of a link is not part of it.
        let after = offset < paragraphs[index].letters.count ? paragraphs[index].letters[offset] : nil
        let link = before?.link == after?.link ? before?.link : nil
        for character in text {
            if character.isNewline {
                split(index, offset)
                (index, offset) = (index + 1, 0)
                continue
            }
            let harmless = character.unicodeScalars.filter { $0.isHarmless || $0 == "\t" }
            guard let kept = String(String.UnicodeScalarView(harmless)).first else { continue }
            let letter = Letter(character: kept, style: style ?? before?.style ?? [], link: link)
            paragraphs[index].letters.insert(letter, at: offset)
            offset += 1
        }
    }

    private mutating func split(_ index: Int, _ offset: Int) {
        let rest = paragraphs[index].letters.suffix(from: offset)
        var kind = paragraphs[index].kind
        // A heading is one line; lists, quotes and code continue.
        if case .heading = kind { kind = .paragraph }
        paragraphs.insert(Paragraph(kind: kind, letters: Array(rest)), at: index + 1)
        paragraphs[index].letters.removeSubrange(offset...)
    }

    /// Deletes the text in a range; paragraphs whose break is in it are joined.
    package mutating func remove(_ range: Range<Int>) {
        let (first, start) = place(range.lowerBound)
        let (last, end) = place(range.upperBound)
        guard (first, start) < (last, end) else { return }
        let rest = paragraphs[last].letters.suffix(from: end)
        paragraphs[first].letters.removeSubrange(start...)
        paragraphs[first].letters.append(contentsOf: rest)
        if first < last { paragraphs.removeSubrange((first + 1)...last) }
    }

    // MARK: Styles

    /// Whether a whole range has a style.
    package func has(_ style: RichText.Style, in range: Range<Int>) -> Bool {
        var isEverywhere = true
        var any = false
        visit(range) { letter in
            any = true
            if !letter.style.isSuperset(of: style) { isEverywhere = false }
        }
        return any && isEverywhere
    }

    /// Sets or removes a style in a range.
    package mutating func set(_ style: RichText.Style, on range: Range<Int>, to isOn: Bool) {
        change(range) { letter in
            if isOn { letter.style.formUnion(style) } else { letter.style.subtract(style) }
        }
    }

    /// Sets a style in a range, or removes it if the whole range has it, like a button.
    package mutating func toggle(_ style: RichText.Style, on range: Range<Int>) {
        set(style, on: range, to: !has(style, in: range))
    }

    /// Changes the kind of the paragraphs that a range touches.
    package mutating func set(_ kind: RichText.Kind, at range: Range<Int>) {
        let first = place(range.lowerBound).paragraph
        let last = place(max(range.lowerBound, range.upperBound)).paragraph
        for index in first...last { paragraphs[index].kind = kind }
    }

    /// Links a range to an address, or removes links.
    ///
    /// - Returns: false, without a change, if the address is not allowed.
    @discardableResult
    package mutating func link(_ range: Range<Int>, to address: String?) -> Bool {
        guard let address else {
            change(range) { $0.link = nil }
            return true
        }
        guard let link = SafeLink(address) else { return false }
        change(range) { $0.link = .address(link) }
        return true
    }

    /// Replaces a range with the mention of a user, `@` and the name.
    ///
    /// - Returns: false, without a change, if the user's id is invalid.
    @discardableResult
    package mutating func mention(_ user: String, name: String, in range: Range<Int>) -> Bool {
        guard let mention = SafeMention(user) else { return false }
        let start = min(max(0, range.lowerBound), count)
        remove(range)
        let size = count
        insert("@" + name.filter { !$0.isNewline }, at: start, style: [])
        change(start..<(start + count - size)) { $0.link = .mention(mention) }
        return true
    }

    // MARK: Positions

    private func place(_ position: Int) -> (paragraph: Int, offset: Int) {
        var left = max(0, position)
        for (index, paragraph) in paragraphs.enumerated() {
            if left <= paragraph.letters.count { return (index, left) }
            left -= paragraph.letters.count + 1
        }
        return (paragraphs.count - 1, paragraphs[paragraphs.count - 1].letters.count)
    }

    private func visit(_ range: Range<Int>, _ body: (Letter) -> Void) {
        var copy = self
        copy.change(range) { body($0) }
    }

    private mutating func change(_ range: Range<Int>, _ body: (inout Letter) -> Void) {
        let (first, start) = place(range.lowerBound)
        let (last, end) = place(range.upperBound)
        guard first <= last else { return }
        for index in first...last {
            let from = index == first ? start : 0
            let to = index == last ? end : paragraphs[index].letters.count
            for offset in from..<max(from, to) { body(&paragraphs[index].letters[offset]) }
        }
    }
}
