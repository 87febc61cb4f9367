import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The table of field names of one page.
final class CompactNames {
    private struct Entry {
        let name: String
        /// Which name came after this one, last time: objects of one type repeat the same run of names.
        var follower = -1
    }

    private struct Table {
        var entries: [Entry] = []
        var places: [String: Int] = [:]
        var last = -1
    }

    /// In memory of this object's own, which nobody else points to: a property would be checked for overlapping accesses
    /// at run time, field by field.
    private let table: UnsafeMutablePointer<Table>

    init() {
        table = .allocate(capacity: 1)
        table.initialize(to: Table())
    }

    deinit {
        table.deinitialize(count: 1)
        table.deallocate()
    }

    var names: [String] { table.pointee.entries.map(\.name) }

    /// Returns the place of `name`, which gets one when it has none.
    @inline(__always)
    func place(of name: String) -> Int {
        let last = table.pointee.last
        if last >= 0 {
            let guess = table.pointee.entries[last].follower
            if guess >= 0, table.pointee.entries[guess].name.hasSameBytesMostly(as: name) {
                table.pointee.last = guess
                return guess
            }
        }
        return search(name)
    }

    @inline(never)
    private func search(_ name: String) -> Int {
        let place: Int
        // A table by Swift's own equality may merge canonically equal names, so the bytes are compared too.
        if let known = table.pointee.places[name], table.pointee.entries[known].name.hasSameBytes(as: name) {
            place = known
        } else {
            place = table.pointee.entries.count
            table.pointee.entries.append(Entry(name: name))
            table.pointee.places[name] = place
        }
        if table.pointee.last >= 0 { table.pointee.entries[table.pointee.last].follower = place }
        table.pointee.last = place
        return place
    }
}

extension String {
    /// Whether both strings are the same UTF-8 bytes; quick for short texts, and for a text and itself.
    @inline(__always)
    func hasSameBytesMostly(as other: String) -> Bool {
        // Sound: where a string is as large as two words, they are only compared here. Equal words are the same value;
        // texts of other words may be equal all the same.
        MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size
            && unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
            || hasSameBytes(as: other)
    }
}

/// Where one value tree is written. Values are written in place, one inside the other; a nested container that `Codable`
/// asks for separately gets an output of its own, which is spliced in when its parent is complete.
final class CompactOutput {
    private enum Shape: UInt8 { case none, single, array, object }

    private struct Frame {
        let start: Int
        var count = 0
        var shape = Shape.none
    }

    private struct Child {
        let level: Int
        let offset: Int
        let output: CompactOutput
    }

    private struct State: ~Copyable {
        var bytes: CompactBytes
        var frames: [Frame] = []
        /// The values written apart, those of the innermost frame last.
        var children: [Child] = []
        /// Set when a container was used after its value was complete; the value is then refused as a whole.
        var isMisused = false
    }

    /// In memory of this object's own, which nobody else points to: a property would be checked for overlapping accesses
    /// at run time, value by value. There are none: nothing is changed here while a value's own code runs.
    private let state: UnsafeMutablePointer<State>
    private let names: CompactNames
    private let baseDepth: Int

    private init(names: CompactNames, baseDepth: Int, capacity: Int) {
        self.names = names
        self.baseDepth = baseDepth
        state = .allocate(capacity: 1)
        state.initialize(to: State(bytes: CompactBytes(capacity: capacity)))
        state.pointee.frames.reserveCapacity(8)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let names = CompactNames()
        let output = CompactOutput(names: names, baseDepth: 0, capacity: 4_096)
        output.state.pointee.bytes.append(CompactFormat.version)
        try output.write(value)
        guard !output.state.pointee.isMisused else { throw PageCodingError.malformed }
        // At the end, because the names are known only when all is written; so is where they begin.
        guard let table = UInt32(exactly: output.state.pointee.bytes.count) else { throw PageCodingError.tooLarge }
        var writer = PageByteWriter()
        writer.write(all: names.names) { $0.write($1) }
        writer.append(fixed: table)
        return output.state.pointee.bytes.array + writer.bytes
    }

    // MARK: - Values

    func write<Value: Encodable>(_ value: Value) throws {
        if writeKnown(value) { return }
        guard baseDepth + state.pointee.frames.count < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        state.pointee.frames.append(Frame(start: state.pointee.bytes.count))
        try value.encode(to: CompactValueEncoder(output: self, level: state.pointee.frames.count - 1))
        try closeFrame()
    }

    /// Writes values of the types whose own `Codable` form would be slow or large, and says whether it was one.
    private func writeKnown<Value: Encodable>(_ value: Value) -> Bool {
        // Sound: each cast is to the type that `Value` was just found to be. `as?` would look it up at run time.
        if Value.self == String.self {
            write(text: unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            write(signed: Int64(unsafeBitCast(value, to: Int.self)))
        } else if Value.self == Double.self {
            write(double: unsafeBitCast(value, to: Double.self))
        } else if Value.self == Bool.self {
            write(truth: unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Date.self {
            write(double: unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
        } else if Value.self == UUID.self {
            withUnsafeBytes(of: unsafeBitCast(value, to: UUID.self).uuid) { write(bytes: $0) }
        } else if Value.self == Data.self, let data = value as? Data {
            data.withUnsafeBytes { write(bytes: $0) }
        } else if Value.self == [UInt8].self, let array = value as? [UInt8] {
            array.withUnsafeBytes { write(bytes: $0) }
            // One with a base is left to `Codable`: its text alone would lose the base.
        } else if Value.self == URL.self, let url = value as? URL, url.baseURL == nil {
            write(text: url.absoluteString)
        } else {
            return false
        }
        return true
    }

    func writeNull() { state.pointee.bytes.append(CompactFormat.Tag.null) }

    func write(truth: Bool) { state.pointee.bytes.append(truth ? CompactFormat.Tag.yes : CompactFormat.Tag.no) }

    func write(signed: Int64) {
        // ZigZag, so that small negative numbers are short, too.
        state.pointee.bytes.append(CompactFormat.Tag.signed, varint: UInt64(bitPattern: (signed << 1) ^ (signed >> 63)))
    }

    func write(unsigned: UInt64) { state.pointee.bytes.append(CompactFormat.Tag.unsigned, varint: unsigned) }

    func write(double: Double) {
        state.pointee.bytes.append(CompactFormat.Tag.double)
        state.pointee.bytes.append(fixed: double.bitPattern)
    }

    func write(float: Float) {
        state.pointee.bytes.append(CompactFormat.Tag.float)
        state.pointee.bytes.append(fixed: float.bitPattern)
    }

    func write(text: String) {
        var text = text
        text.withUTF8 { state.pointee.bytes.append(CompactFormat.Tag.text, $0) }
    }

    private func write(bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: UInt8.self) { state.pointee.bytes.append(CompactFormat.Tag.bytes, $0) }
    }

    // MARK: - Containers

    /// Gives the value at `level` its shape; a second container of another shape is a misuse.
    func openObject(at level: Int) { open(.object, tag: CompactFormat.Tag.object, at: level) }

    func openArray(at level: Int) { open(.array, tag: CompactFormat.Tag.array, at: level) }

    func openSingle(at level: Int) { open(.single, tag: nil, at: level) }

    private func open(_ shape: Shape, tag: UInt8?, at level: Int) {
        // Whoever kept a container of a value that is complete would write into the next one.
        guard level == state.pointee.frames.count - 1 else {
            state.pointee.isMisused = true
            return
        }
        // A type and its superclass may both ask for the same container, which is no misuse.
        guard state.pointee.frames[level].shape == .none else {
            if state.pointee.frames[level].shape != shape { state.pointee.isMisused = true }
            return
        }
        state.pointee.frames[level].shape = shape
        guard let tag else { return }
        state.pointee.bytes.append(tag)
        state.pointee.bytes.append(fixed: UInt32(0))
        // Room for the number of values, which is not known yet: a fixed width saves moving what follows.
        if shape == .array { state.pointee.bytes.append(fixed: UInt32(0)) }
    }

    func beginField(_ name: String, at level: Int) throws {
        try checkTop(level)
        state.pointee.bytes.append(varint: UInt64(names.place(of: name)))
    }

    func beginElement(at level: Int) throws {
        try checkTop(level)
        state.pointee.frames[level].count += 1
    }

    func count(at level: Int) -> Int { level < state.pointee.frames.count ? state.pointee.frames[level].count : 0 }

    private func checkTop(_ level: Int) throws {
        guard level == state.pointee.frames.count - 1, !state.pointee.isMisused else { throw PageCodingError.malformed }
    }

    /// Returns an output for a value that is written apart, and takes its place here.
    func makeChild(at level: Int) -> CompactOutput {
        let child = CompactOutput(names: names, baseDepth: baseDepth + state.pointee.frames.count, capacity: 64)
        child.state.pointee.frames.append(Frame(start: 0))
        if level == state.pointee.frames.count - 1 {
            state.pointee.children.append(Child(level: level, offset: state.pointee.bytes.count, output: child))
        } else {
            state.pointee.isMisused = true
        }
        return child
    }

    func markMisused() { state.pointee.isMisused = true }

    private func closeFrame() throws {
        guard let frame = state.pointee.frames.popLast(), !state.pointee.isMisused else {
            throw PageCodingError.malformed
        }
        // From the last to the first, so that the earlier offsets stay right.
        while let child = state.pointee.children.last, child.level == state.pointee.frames.count {
            state.pointee.children.removeLast()
            guard child.output.state.pointee.frames.count == 1, child.output.baseDepth < CompactFormat.maxDepth else {
                throw PageCodingError.tooDeep
            }
            try child.output.closeFrame()
            state.pointee.bytes.insert(child.output.state.pointee.bytes, at: child.offset)
        }
        switch frame.shape {
        case .single where state.pointee.bytes.count > frame.start: return
        case .single: writeNull()
        // A type without properties may ask for no container at all; it is read as an object without fields.
        case .none:
            state.pointee.bytes.append(CompactFormat.Tag.object)
            state.pointee.bytes.append(fixed: UInt32(0))
        case .array, .object:
            guard let length = UInt32(exactly: state.pointee.bytes.count - frame.start - 5) else {
                throw PageCodingError.tooLarge
            }
            state.pointee.bytes.patch(at: frame.start + 1, with: length)
            if frame.shape == .array { state.pointee.bytes.patch(at: frame.start + 5, with: UInt32(frame.count)) }
        }
    }
}
