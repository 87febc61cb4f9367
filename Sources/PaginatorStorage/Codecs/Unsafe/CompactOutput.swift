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
        /// The name that followed this one last: objects of a type repeat the same sequence of names.
        var follower = -1
    }

    private struct Table {
        var entries: [Entry] = []
        var places: [String: Int] = [:]
        var last = -1
    }

    /// In separate memory whose pointer is never passed on, because a property would be checked for exclusive access at
    /// run time for each field.
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

    /// Returns the index of `name`, adding it if it is new.
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
        // Swift's equality treats canonically equivalent names as equal, so the bytes are compared, too.
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
    /// Returns whether both strings have the same UTF-8 bytes; fast for short texts and identical strings. It may
    /// return false for other equal strings.
    @inline(__always)
    func hasSameBytesMostly(as other: String) -> Bool {
        // Sound: the words are only compared, and only if a string has the size of two words. Equal words are equal
        // strings; the reverse need not hold.
        MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size
            && unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
            || hasSameBytes(as: other)
    }
}

/// The output of a tree of values. Values are written in place. A nested container that `Codable` requests separately
/// gets its own output, which is inserted when its parent is complete.
final class CompactOutput {
    private enum Shape: UInt8 { case none, single, array, object }

    private struct Frame {
        let start: Int
        /// The fields of the frame around it.
        var outerFields: UInt64 = 0
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
        /// The fields of the innermost frame whose names are among the first 64 of the page, as bits.
        var fields: UInt64 = 0
        /// The other fields of open frames, as words of bits by level.
        var otherFields: [[UInt64]] = []
        /// The separately written values; those of the innermost frame are last.
        var children: [Child] = []
        /// Whether a container was used after its value was complete. The whole value is then rejected.
        var isMisused = false
    }

    /// In separate memory whose pointer is never passed on, because a property would be checked for exclusive access at
    /// run time for each value. Accesses do not overlap: the state does not change while a value's own code runs.
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
        // At the end, because all names are known only then. The last bytes are its offset.
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
        state.pointee.frames.append(Frame(start: state.pointee.bytes.count, outerFields: state.pointee.fields))
        state.pointee.fields = 0
        try value.encode(to: CompactValueEncoder(output: self, level: state.pointee.frames.count - 1))
        try closeFrame()
    }

    /// Writes values of types whose `Codable` form would be slow or large; returns whether the value is of such a type.
    private func writeKnown<Value: Encodable>(_ value: Value) -> Bool {
        // Sound: each cast is to the type that `Value` was just compared with. `as?` would look it up at run time.
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
            // A URL with a base uses `Codable`, because its text alone would lose the base.
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
        // ZigZag, so that small negative numbers are also short.
        state.pointee.bytes.append(CompactFormat.Tag.signed, varint: UInt64(bitPattern: (signed << 1) ^ (signed >> 63)))
    }

    func write(unsigned: UInt64) { state.pointee.bytes.append(CompactFormat.Tag.unsigned, varint: unsigned) }

    /// Writes a number of at most 64 bits. The standard library refuses greater ones before they come here.
    func write<Value: FixedWidthInteger>(integer: Value) {
        if Value.isSigned {
            write(signed: Int64(truncatingIfNeeded: integer))
        } else {
            write(unsigned: UInt64(truncatingIfNeeded: integer))
        }
    }

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

    /// Begins the value at `level`. A second container of another kind is a misuse.
    func openObject(at level: Int) { open(.object, tag: CompactFormat.Tag.object, at: level) }

    func openArray(at level: Int) { open(.array, tag: CompactFormat.Tag.array, at: level) }

    func openSingle(at level: Int) { open(.single, tag: nil, at: level) }

    private func open(_ shape: Shape, tag: UInt8?, at level: Int) {
        // A container that is used after its value is complete would write into the next value.
        guard level == state.pointee.frames.count - 1 else {
            state.pointee.isMisused = true
            return
        }
        // A type and its superclass may both request the same container.
        guard state.pointee.frames[level].shape == .none else {
            if state.pointee.frames[level].shape != shape { state.pointee.isMisused = true }
            return
        }
        state.pointee.frames[level].shape = shape
        guard let tag else { return }
        state.pointee.bytes.append(tag)
        state.pointee.bytes.append(fixed: UInt32(0))
        // Space for the number of values, of fixed width, so that nothing is moved later.
        if shape == .array { state.pointee.bytes.append(fixed: UInt32(0)) }
    }

    func beginField(_ name: String, at level: Int) throws {
        try checkTop(level)
        let place = names.place(of: name)
        if place < 64 {
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
            // A reader would find the first of two values, where other codecs find the last.
            guard state.pointee.fields & bit == 0 else { throw PageCodingError.writtenTwice }
            state.pointee.fields |= bit
        } else {
            try noteField(place, at: level)
        }
        state.pointee.bytes.append(varint: UInt64(place))
    }

    @inline(never)
    private func noteField(_ place: Int, at level: Int) throws {
        let (word, bit) = (place / 64 - 1, UInt64(1) << UInt64(place % 64))
        while state.pointee.otherFields.count <= level { state.pointee.otherFields.append([]) }
        while state.pointee.otherFields[level].count <= word { state.pointee.otherFields[level].append(0) }
        guard state.pointee.otherFields[level][word] & bit == 0 else { throw PageCodingError.writtenTwice }
        state.pointee.otherFields[level][word] |= bit
    }

    func beginElement(at level: Int) throws {
        try checkTop(level)
        state.pointee.frames[level].count += 1
    }

    func count(at level: Int) -> Int { level < state.pointee.frames.count ? state.pointee.frames[level].count : 0 }

    private func checkTop(_ level: Int) throws {
        guard level == state.pointee.frames.count - 1, !state.pointee.isMisused else { throw PageCodingError.malformed }
    }

    /// Returns an output for a value that is written separately and inserted here.
    func makeChild(at level: Int) -> CompactOutput {
        let child = CompactOutput(names: names, baseDepth: baseDepth + state.pointee.frames.count, capacity: 64)
        child.state.pointee.frames.append(Frame(start: 0))
        // Otherwise the caller has noticed the misuse.
        if level == state.pointee.frames.count - 1 {
            state.pointee.children.append(Child(level: level, offset: state.pointee.bytes.count, output: child))
        }
        return child
    }

    func markMisused() { state.pointee.isMisused = true }

    private func closeFrame() throws {
        guard let frame = state.pointee.frames.popLast(), !state.pointee.isMisused else {
            throw PageCodingError.malformed
        }
        state.pointee.fields = frame.outerFields
        if state.pointee.frames.count < state.pointee.otherFields.count {
            state.pointee.otherFields[state.pointee.frames.count].removeAll(keepingCapacity: true)
        }
        // From the last to the first, so that earlier offsets stay valid.
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
        // A type without properties may request no container. It is written as an object without fields.
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
