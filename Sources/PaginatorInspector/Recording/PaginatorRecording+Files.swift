#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PaginatorRecording {
    /// Opens a file written by ``write(to:withKeys:)``. Complexity: O(bytes).
    ///
    /// - Parameter url: the file's location.
    /// - Throws: a ``PaginatorRecordingError`` if the file is damaged or not a recording, or the error of reading the
    ///   file.
    public init(contentsOf url: URL) throws {
        self = try PaginatorRecording(data: Data(contentsOf: url))
    }

    /// Opens the bytes of such a file. Complexity: O(bytes).
    ///
    /// - Parameter data: the bytes, which may be untrusted.
    /// - Throws: a ``PaginatorRecordingError`` if they are not a valid recording.
    public init(data: Data) throws(PaginatorRecordingError) {
        self = try RecordingReader.recording(from: Array(data))
    }

    /// Saves the recording, replacing an existing file. Complexity: O(bytes).
    ///
    /// - Parameters:
    ///   - url: the file's location.
    ///   - withKeys: whether to include user data instead of hashes; false by default.
    /// - Throws: the error of writing the file.
    public func write(to url: URL, withKeys: Bool = false) throws {
        try data(withKeys: withKeys).write(to: url, options: .atomic)
    }

    /// Returns the bytes that ``write(to:withKeys:)`` writes. Complexity: O(bytes).
    ///
    /// - Parameter withKeys: whether to include user data instead of hashes; false by default.
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

    // A later part of a stream has no beginning, and its texts continue from a number.
    func appendChunks(to bytes: inout [UInt8], withKeys: Bool, hasInfo: Bool = true, firstText: Int = 0) {
        let shown = withKeys ? self : hashingKeys()
        if hasInfo { bytes.append(chunk: .info, json: shown.info.json) }
        for (index, text) in shown.texts.enumerated() {
            bytes.append(text: text, number: UInt32(clamping: firstText + index + 1))
        }
        for subject in shown.subjects { bytes.append(chunk: .subject, json: subject.json) }
        // In parts, so that no chunk is too long, and a reader can show its progress.
        var first = 0
        while first < shown.events.count {
            let last = min(first + 65_536, shown.events.count)
            bytes.append(events: shown.events[first..<last])
            first = last
        }
        for state in shown.states { bytes.append(chunk: .state) { $0 += state.bytes } }
    }
}
