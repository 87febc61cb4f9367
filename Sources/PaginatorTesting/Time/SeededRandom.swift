import PaginatorCore

/// Random numbers that follow from a seed alone, so that a failing test can be run again; print the seed on failure.
///
/// SplitMix64, after Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014). It guards no
/// secret.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Starts the sequence of `seed`; every seed is as good as any other.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns the next 64 bits of the sequence. Complexity: O(1).
    public mutating func next() -> UInt64 { generator.next() }

    /// Returns true as often as `probability` says.
    ///
    /// - Parameter probability: from 0, never, to 1, always.
    public mutating func chance(_ probability: Double) -> Bool {
        generator.unitInterval() < probability
    }

    /// Returns a number of at least 0 and less than 1; each is as likely.
    public mutating func unitInterval() -> Double { generator.unitInterval() }

    /// Returns a number of the range; each is as likely.
    ///
    /// - Parameter range: the numbers to choose from; an empty range gives its lower bound.
    public mutating func number(in range: Range<Int>) -> Int {
        range.isEmpty ? range.lowerBound : Int.random(in: range, using: &generator)
    }
}
