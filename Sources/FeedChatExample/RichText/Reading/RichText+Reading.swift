extension RichText {
    /// Parses HTML from an untrusted source.
    ///
    /// Elements outside the allow list are removed, but their text is kept. Scripts, styles, frames, form fields,
    /// vector images and the like are removed with their content. Only these attributes are read: `href` of `a` if it
    /// is a ``SafeLink``, `data-mention` if it is a ``SafeMention``, and `start` of `ol`. Parsing never fails: invalid
    /// markup results in some text.
    ///
    /// - Parameters:
    ///   - html: the HTML; not necessarily a whole document.
    ///   - limits: the maximum that is parsed.
    /// - Complexity: O(`html`). Call it off the main thread.
    package init(html: String, limits: RichTextLimits = RichTextLimits()) {
        // The prefix may split a character or a tag; the parser recovers from both.
        let bytes = html.utf8.prefix(max(0, limits.bytes))
        guard let document = HTMLDocument(bytes) else {
            self.init()
            return
        }
        var reader = HTMLReader(limits: limits)
        reader.read(document)
        self.init(reader.blocks)
    }
}

/// Walks a tree, without recursion, and passes allowed content to a builder.
private struct HTMLReader {
    private struct Context {
        var style: RichText.Style = []
        var link: RichText.Link?
        var kind = RichText.Kind.paragraph
        /// The next number of the open list; `nil` in a list without numbers.
        var number: Int?
        var isInList = false
    }

    private let limits: RichTextLimits
    private var builder: BlockBuilder
    private var context = Context()

    init(limits: RichTextLimits) {
        self.limits = limits
        builder = BlockBuilder(limits: limits)
    }

    var blocks: [RichText.Block] {
        var builder = builder
        builder.begin(.paragraph)
        return builder.blocks
    }

    mutating func read(_ document: borrowing HTMLDocument) {
        // The open elements, with the context before each of them.
        var open: [(node: HTMLDocument.Node, element: HTMLElement, before: Context)] = []
        var next = document.root
        while !builder.isFull {
            if let node = next {
                next = node.next
                switch node.content {
                case .text(let text): builder.add(text, context.style, context.link)
                case .other: break
                case .element(let name):
                    let element = HTMLElement(name)
                    if case .dropped = element { continue }
                    open.append((node, element, context))
                    enter(element, node, isDeep: open.count > limits.depth)
                    next = node.firstChild
                }
            } else if let last = open.popLast() {
                leave(last.element, last.before)
                next = last.node.next
            } else {
                return
            }
        }
    }

    private mutating func enter(_ element: HTMLElement, _ node: HTMLDocument.Node, isDeep: Bool) {
        switch element {
        case .lineBreak: builder.addLineBreak(context.style, context.link)
        case .cell: builder.add(" ", context.style, context.link)
        case _ where isDeep: break
        case .block(let kind):
            if let kind { context.kind = kind }
            builder.begin(context.kind)
        case .style(let style): context.style.formUnion(style)
        case .anchor:
            if let mention = node.attribute("data-mention").flatMap(SafeMention.init) {
                context.link = .mention(mention)
            } else if let link = node.attribute("href").flatMap(SafeLink.init) {
                context.link = .address(link)
            }
        case .list(let isNumbered):
            let start = node.attribute("start").flatMap { Int($0) } ?? 1
            context.number = isNumbered ? min(max(start, 0), 999_999) : nil
            context.isInList = true
            builder.begin(context.kind)
        case .item:
            context.kind = context.number.map { .numberedItem($0) } ?? .item
            builder.begin(context.kind)
        case .dropped, .transparent: break
        }
    }

    private mutating func leave(_ element: HTMLElement, _ before: Context) {
        var before = before
        switch element {
        case .item: if let number = before.number { before.number = number + 1 }
        default: break
        }
        switch element {
        case .block, .item, .list: builder.begin(before.kind)
        default: break
        }
        context = before
    }
}
