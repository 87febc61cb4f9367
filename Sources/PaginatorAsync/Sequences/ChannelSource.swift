/// The elements of a channel for one iterator and its copies. When the last one is dropped, the channel's producer
/// ends.
struct ChannelSource<Buffer: ChannelBuffer>: ElementSource {
    private let subscription: ChannelSubscription<Buffer>

    /// Creates a source over a channel.
    ///
    /// - Parameters:
    ///   - channel: the channel.
    ///   - onEnd: called once, on any thread, when no iterator is left.
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
        // In this order, so that no element reaches an ended channel.
        onEnd()
        channel.finish()
    }
}

/// Ends a channel when it is released, because nothing can put elements into it any more.
final class ChannelEnd<Buffer: ChannelBuffer>: Sendable {
    let channel: Channel<Buffer>

    init(_ channel: Channel<Buffer>) {
        self.channel = channel
    }

    deinit {
        channel.finish()
    }
}
