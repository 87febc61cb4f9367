import PaginatorCore

/// Random numbers that follow from a seed, so that a failed test can be replayed; print the seed on failure.
///
/// The generator is SplitMix64, after Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA
/// 2014). It is not for cryptography.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Starts the sequence of `seed`, which may be any number.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns the next 64 bits of the sequence. Complexity: O(1).
    public mutating func next() -> UInt64 { generator.next() }

    /// Returns true with a probability.
    ///
    /// - Parameter probability: from 0, never, to 1, always.
    public mutating func chance(_ probability: Double) -> Bool {
        generator.unitInterval() < probability
    }

    /// Returns a number from 0 up to but not including 1, evenly distributed.
    public mutating func unitInterval() -> Double { generator.unitInterval() }

    /// Returns a number of a range, evenly distributed.
    ///
    /// - Parameter range: the range; an empty range gives its lower bound.
    public mutating func number(in range: Range<Int>) -> Int {
        range.isEmpty ? range.lowerBound : Int.random(in: range, using: &generator)
    }
}
