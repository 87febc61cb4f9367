#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The table of field names of one page.
final class CompactNames {
    private(set) var names: [String] = []
    private var places: [String: Int] = [:]
    /// Which name came after each, last time: objects of one type repeat the same run of names.
    private var followers: [Int] = []
    private var last = -1

    /// Returns the place of `name`, which gets one when it has none.
    func place(of name: String) -> Int {
        if last >= 0 {
            let guess = followers[last]
            if guess >= 0, names[guess].hasSameBytes(as: name) {
                last = guess
                return guess
            }
        }
        let place: Int
        // A table by Swift's own equality may merge canonically equal names, so the bytes are compared too.
        if let known = places[name], names[known].hasSameBytes(as: name) {
            place = known
        } else {
            place = names.count
            names.append(name)
            followers.append(-1)
            places[name] = place
        }
        if last >= 0 { followers[last] = place }
        last = place
        return place
    }
}

/// Where one value tree is written. Values are written in place, one inside the other; a nested container that `Codable`
/// asks for separately gets an output of its own, which is spliced in when its parent is complete.
final class CompactOutput {
    private enum Shape { case none, single, array, object }

    private struct Frame {
        let start: Int
        var shape = Shape.none
        var count = 0
        var children: [(offset: Int, output: CompactOutput)] = []
    }

    private var writer = PageByteWriter()
    private var frames: [Frame] = []
    private let names: CompactNames
    private let baseDepth: Int
    /// Set when a container was used after its value was complete; the value is then refused as a whole.
    private var isMisused = false

    private init(names: CompactNames, baseDepth: Int) {
        self.names = names
        self.baseDepth = baseDepth
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let names = CompactNames()
        let output = CompactOutput(names: names, baseDepth: 0)
        output.writer.append(CompactFormat.version)
        try output.write(value)
        guard !output.isMisused else { throw PageCodingError.malformed }
        guard let table = UInt32(exactly: output.writer.bytes.count) else { throw PageCodingError.tooLarge }
        output.writer.write(all: names.names) { $0.write($1) }
        output.writer.append(fixed: table)
        return output.writer.bytes
    }

    // MARK: - Values

    func write<Value: Encodable>(_ value: Value) throws {
        if try writeKnown(value) { return }
        guard baseDepth + frames.count < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        frames.append(Frame(start: writer.bytes.count))
        try value.encode(to: CompactValueEncoder(output: self, level: frames.count - 1))
        try closeFrame()
    }

    /// Writes values of the types whose own `Codable` form would be slow or large, and says whether it was one.
    private func writeKnown<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == String.self, let text = value as? String {
            write(text: text)
        } else if Value.self == Int.self, let number = value as? Int {
            write(signed: Int64(number))
        } else if Value.self == Double.self, let number = value as? Double {
            write(double: number)
        } else if Value.self == Bool.self, let truth = value as? Bool {
            write(truth: truth)
        } else if Value.self == Date.self, let date = value as? Date {
            write(double: date.timeIntervalSinceReferenceDate)
        } else if Value.self == UUID.self, let id = value as? UUID {
            write(bytes: withUnsafeBytes(of: id.uuid) { Array($0) })
        } else if Value.self == Data.self, let data = value as? Data {
            write(bytes: Array(data))
        } else if Value.self == [UInt8].self, let bytes = value as? [UInt8] {
            write(bytes: bytes)
        } else if Value.self == URL.self, let url = value as? URL, url.baseURL == nil {
            write(text: url.absoluteString)
        } else {
            return false
        }
        return true
    }

    func writeNull() { writer.append(CompactFormat.Tag.null) }

    func write(truth: Bool) { writer.append(truth ? CompactFormat.Tag.yes : CompactFormat.Tag.no) }

    func write(signed: Int64) {
        writer.append(CompactFormat.Tag.signed)
        writer.write(signed)
    }

    func write(unsigned: UInt64) {
        writer.append(CompactFormat.Tag.unsigned)
        writer.write(unsigned)
    }

    func write(double: Double) {
        writer.append(CompactFormat.Tag.double)
        writer.append(fixed: double.bitPattern)
    }

    func write(float: Float) {
        writer.append(CompactFormat.Tag.float)
        writer.append(fixed: float.bitPattern)
    }

    func write(text: String) {
        writer.append(CompactFormat.Tag.text)
        writer.write(text)
    }

    private func write(bytes: [UInt8]) {
        writer.append(CompactFormat.Tag.bytes)
        writer.write(bytes)
    }

    // MARK: - Containers

    /// Gives the value at `level` its shape; a second container of another shape is a misuse.
    func openObject(at level: Int) { open(.object, tag: CompactFormat.Tag.object, at: level) }

    func openArray(at level: Int) { open(.array, tag: CompactFormat.Tag.array, at: level) }

    func openSingle(at level: Int) { open(.single, tag: nil, at: level) }

    private func open(_ shape: Shape, tag: UInt8?, at level: Int) {
        guard level == frames.count - 1 else {
            isMisused = true
            return
        }
        guard frames[level].shape == .none else {
            if frames[level].shape != shape { isMisused = true }
            return
        }
        frames[level].shape = shape
        guard let tag else { return }
        writer.append(tag)
        writer.append(fixed: UInt32(0))
        // Room for the number of values, which is not known yet: a fixed width saves moving what follows.
        if shape == .array { writer.append(fixed: UInt32(0)) }
    }

    func beginField(_ name: String, at level: Int) throws {
        try checkTop(level)
        writer.write(UInt64(names.place(of: name)))
    }

    func beginElement(at level: Int) throws {
        try checkTop(level)
        frames[level].count += 1
    }

    func count(at level: Int) -> Int { level < frames.count ? frames[level].count : 0 }

    private func checkTop(_ level: Int) throws {
        guard level == frames.count - 1, !isMisused else { throw PageCodingError.malformed }
    }

    /// Returns an output for a value that is written apart, and takes its place here.
    func makeChild(at level: Int) -> CompactOutput {
        let child = CompactOutput(names: names, baseDepth: baseDepth + frames.count)
        child.frames.append(Frame(start: 0))
        if level == frames.count - 1 {
            frames[level].children.append((writer.bytes.count, child))
        } else {
            isMisused = true
        }
        return child
    }

    func markMisused() { isMisused = true }

    private func closeFrame() throws {
        guard let frame = frames.popLast(), !isMisused else { throw PageCodingError.malformed }
        // From the last to the first, so that the earlier offsets stay right.
        for child in frame.children.reversed() {
            guard child.output.frames.count == 1, child.output.baseDepth < CompactFormat.maxDepth else {
                throw PageCodingError.tooDeep
            }
            try child.output.closeFrame()
            writer.bytes.insert(contentsOf: child.output.writer.bytes, at: child.offset)
        }
        switch frame.shape {
        case .single where writer.bytes.count > frame.start: return
        case .single: writeNull()
        case .none:
            writer.append(CompactFormat.Tag.object)
            writer.append(fixed: UInt32(0))
        case .array, .object:
            guard let length = UInt32(exactly: writer.bytes.count - frame.start - 5) else {
                throw PageCodingError.tooLarge
            }
            writer.patch(at: frame.start + 1, with: length)
            if frame.shape == .array { writer.patch(at: frame.start + 5, with: UInt32(frame.count)) }
        }
    }
}
