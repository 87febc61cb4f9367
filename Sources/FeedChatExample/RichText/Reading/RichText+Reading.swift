extension RichText {
    /// Reads HTML that a stranger wrote.
    ///
    /// Elements outside the allow list are taken away around their text, scripts, styles, frames, forms' fields, vector
    /// images and the like with it. Of all attributes, `href` of `a` is read where it is a ``SafeLink``, `data-mention`
    /// where it is a ``SafeMention``, and `start` of `ol`. Nothing fails: broken markup gives some text.
    ///
    /// - Parameters:
    ///   - html: the HTML; not necessarily a whole document.
    ///   - limits: how much of it is looked at.
    /// - Complexity: O(`html`). Call it off the main thread.
    package init(html: String, limits: RichTextLimits = RichTextLimits()) {
        // The prefix may cut a character, or a tag; the parser recovers from both.
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

/// Walks a tree, without recursion, and hands what the allow list lets through to a builder.
private struct HTMLReader {
    private struct Context {
        var style: RichText.Style = []
        var link: RichText.Link?
        var kind = RichText.Kind.paragraph
        /// Where the list that is open counts; `nil` in a list without numbers.
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
        // The elements that are open, and what held before each of them.
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
