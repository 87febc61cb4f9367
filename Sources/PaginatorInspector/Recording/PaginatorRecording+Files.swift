#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PaginatorRecording {
    /// Opens a file that ``write(to:withKeys:)`` wrote. Complexity: O(bytes).
    ///
    /// - Parameter url: where the file is.
    /// - Throws: a ``PaginatorRecordingError`` for a file that is broken or something else; what reading the file
    ///   throws.
    public init(contentsOf url: URL) throws {
        self = try PaginatorRecording(data: Data(contentsOf: url))
    }

    /// Opens the bytes of such a file. Complexity: O(bytes).
    ///
    /// - Parameter data: the bytes, which may be anything.
    /// - Throws: what is wrong with them.
    public init(data: Data) throws(PaginatorRecordingError) {
        self = try RecordingReader.recording(from: Array(data))
    }

    /// Saves the recording in place of what is there. Complexity: O(bytes).
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - withKeys: whether user data is saved as it is, and not as hashes; false by default.
    /// - Throws: what writing the file throws.
    public func write(to url: URL, withKeys: Bool = false) throws {
        try data(withKeys: withKeys).write(to: url, options: .atomic)
    }

    /// Returns the bytes that ``write(to:withKeys:)`` writes. Complexity: O(bytes).
    ///
    /// - Parameter withKeys: whether user data stands there as it is, and not as hashes; false by default.
    public func data(withKeys: Bool = false) -> Data {
        var bytes = [UInt8].recordingStart
        bytes += chunks(withKeys: withKeys)
        return Data(bytes)
    }

    func chunks(withKeys: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        appendChunks(to: &bytes, withKeys: withKeys)
        return bytes
    }

    // What follows something that was sent before has no beginning, and its texts go on from a number.
    func appendChunks(to bytes: inout [UInt8], withKeys: Bool, hasInfo: Bool = true, firstText: Int = 0) {
        let shown = withKeys ? self : hashingKeys()
        if hasInfo { bytes.append(chunk: .info, json: shown.info.json) }
        for (index, text) in shown.texts.enumerated() {
            bytes.append(text: text, number: UInt32(clamping: firstText + index + 1))
        }
        for subject in shown.subjects { bytes.append(chunk: .subject, json: subject.json) }
        // So that no chunk is too long, and a reader can show how far it is.
        var first = 0
        while first < shown.events.count {
            let last = min(first + 65_536, shown.events.count)
            bytes.append(events: shown.events[first..<last])
            first = last
        }
        for state in shown.states { bytes.append(chunk: .state) { $0 += state.bytes } }
    }
}
