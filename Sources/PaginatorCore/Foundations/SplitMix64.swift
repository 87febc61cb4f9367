/// A small random number generator whose sequence is determined by its seed.
///
/// SplitMix64, after Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014). Used for
/// jitter and for reproducible tests; not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// Returns a number in [0, 1): one of 2^53, each equally likely.
    package mutating func unitInterval() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
