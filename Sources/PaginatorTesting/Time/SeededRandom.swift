import PaginatorCore

/// A random number generator with a seed, to reproduce a failed test; print the seed on failure.
///
/// The generator is SplitMix64, after Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA
/// 2014). Do not use it for cryptography.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Creates the sequence of `seed`, which may be any number.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns the next 64 bits of the sequence. Complexity: O(1).
    public mutating func next() -> UInt64 { generator.next() }

    /// Returns true with a probability.
    ///
    /// - Parameter probability: the probability, from 0, never, to 1, always.
    public mutating func chance(_ probability: Double) -> Bool {
        generator.unitInterval() < probability
    }

    /// Returns a uniform random number from 0 up to but not including 1.
    public mutating func unitInterval() -> Double { generator.unitInterval() }

    /// Returns a uniform random number in a range.
    ///
    /// - Parameter range: the range; for an empty one the lower bound is returned.
    public mutating func number(in range: Range<Int>) -> Int {
        range.isEmpty ? range.lowerBound : Int.random(in: range, using: &generator)
    }
}
