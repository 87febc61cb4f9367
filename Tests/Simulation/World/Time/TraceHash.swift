/// One number for all that happened, in its order: equal runs have equal numbers.
package struct TraceHash: Sendable, Hashable {
    /// The number.
    package private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

    package init() {}

    /// Adds something that happened.
    package mutating func note(_ kind: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0) {
        mix(kind)
        mix(first)
        mix(second)
    }

    private mutating func mix(_ bits: UInt64) {
        value = (value ^ bits) &* 0xff51_afd7_ed55_8ccd
        value ^= value >> 32
    }
}
