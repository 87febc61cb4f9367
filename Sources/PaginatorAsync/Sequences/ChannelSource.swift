/// The elements of a channel, for one iterator and its copies; whoever stops iterating ends what feeds the channel.
struct ChannelSource<Buffer: ChannelBuffer>: ElementSource {
    private let subscription: ChannelSubscription<Buffer>

    /// Takes from a channel.
    ///
    /// - Parameters:
    ///   - channel: where the elements come from.
    ///   - onEnd: called once, on any thread, when nobody iterates any more.
    init(_ channel: Channel<Buffer>, onEnd: @escaping @Sendable () -> Void = {}) {
        subscription = ChannelSubscription(channel, onEnd: onEnd)
    }

    nonisolated(nonsending) mutating func next() async -> Buffer.Element? {
        await subscription.channel.next()
    }
}

private final class ChannelSubscription<Buffer: ChannelBuffer>: Sendable {
    let channel: Channel<Buffer>
    private let onEnd: @Sendable () -> Void

    init(_ channel: Channel<Buffer>, onEnd: @escaping @Sendable () -> Void) {
        self.channel = channel
        self.onEnd = onEnd
    }

    deinit {
        // In this order: what puts elements ends first, so that none comes to a channel that has ended.
        onEnd()
        channel.finish()
    }
}

/// Ends a channel when nobody can put anything into it any more.
final class ChannelEnd<Buffer: ChannelBuffer>: Sendable {
    let channel: Channel<Buffer>

    init(_ channel: Channel<Buffer>) {
        self.channel = channel
    }

    deinit {
        channel.finish()
    }
}
