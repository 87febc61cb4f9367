/// Places of one size, handed out and taken back one by one, that do not move while they are in use.
///
/// They lie in chunks: growing copies nothing, and pointers can serve as links between them. A pointer is good from
/// ``take()`` until ``giveBack(_:)`` of its place, ``removeAll()`` or the slab's end. A place holds a plain value, which may
/// be overwritten and left behind without ceremony.
struct Slab<Place>: ~Copyable {
    typealias Pointer = UnsafeMutablePointer<Place>

    /// Places in a chunk, a power of two.
    static var chunkSize: Int { 128 }
    /// With a processor's cache line.
    private static var alignment: Int { 64 }

    private var chunks: [Pointer] = []
    /// Of the last chunk, the first place that was never handed out, and its end.
    private var unused: Pointer?
    private var end: Pointer?
    /// The places that were given back, each with the pointer to the next one in its first bytes.
    private var free: Pointer?
    /// How many places have been handed out at least once.
    private(set) var used = 0

    deinit {
        for chunk in chunks { UnsafeMutableRawPointer(chunk).deallocate() }
    }

    /// Returns a place, for the caller to write.
    ///
    /// Complexity: O(1); once in 128 places memory is allocated, and now and then the table of chunks grows.
    @inline(__always)
    mutating func take() -> Pointer {
        if let place = free {
            free = UnsafeRawPointer(place).load(as: Pointer?.self)
            return place
        }
        return takeUnused()
    }

    /// Takes a place back. Complexity: O(1).
    @inline(__always)
    mutating func giveBack(_ place: Pointer) {
        UnsafeMutableRawPointer(place).storeBytes(of: free, as: Pointer?.self)
        free = place
    }

    /// Takes all places back and frees their memory. Complexity: O(chunks).
    @inline(never)
    mutating func removeAll() {
        for chunk in chunks { UnsafeMutableRawPointer(chunk).deallocate() }
        chunks = []
        (unused, end, free) = (nil, nil, nil)
        used = 0
    }

    @inline(__always)
    private mutating func takeUnused() -> Pointer {
        let place = if let unused, unused != end { unused } else { addChunk() }
        unused = place + 1
        used &+= 1
        return place
    }

    /// Returns the first place of a new chunk.
    @inline(never)
    private mutating func addChunk() -> Pointer {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Self.chunkSize * MemoryLayout<Place>.stride, alignment: Self.alignment)
        let chunk = memory.bindMemory(to: Place.self, capacity: Self.chunkSize)
        chunks.append(chunk)
        end = chunk + Self.chunkSize
        return chunk
    }
}
