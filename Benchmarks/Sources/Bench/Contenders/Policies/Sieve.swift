/// Zhang, Yang, Yue, Vigfusson and Rashmi, "SIEVE is simpler than LRU", NSDI 2024.
struct Sieve: TracePolicy {
    private let capacity: Int
    private var keys = KeyList()
    private var visited = KeyNumbers()
    private var hand: Int?

    init(capacity: Int) { self.capacity = capacity }

    mutating func read(_ key: Int) -> Bool {
        if keys.contains(key) {
            visited[key] = 1
            return true
        }
        if keys.count >= capacity, var candidate = hand ?? keys.first {
            while visited[candidate] == 1 {
                visited[candidate] = 0
                candidate = keys.next(after: candidate) ?? keys.first ?? candidate
            }
            hand = keys.next(after: candidate)
            keys.remove(candidate)
        }
        visited[key] = 0
        keys.append(key)
        return false
    }
}
