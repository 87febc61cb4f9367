package import Foundation

/// The JSON format of client and backend: times are whole milliseconds since 1970.
package enum WireCoding {
    /// Creates an encoder, which must not be shared between threads.
    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var value = encoder.singleValueContainer()
            try value.encode(Int64((date.timeIntervalSince1970 * 1_000).rounded().clamped))
        }
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }

    /// Creates a decoder, which must not be shared between threads.
    package static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }
}

extension Double {
    /// The number clamped to the range of dates; NaN counts as zero.
    fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e15), 1e15) }
}
