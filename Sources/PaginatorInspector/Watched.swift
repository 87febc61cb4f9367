import PaginatorCore

/// A subject attached to an inspector, without retaining it.
struct Watched: Sendable {
    /// The result of reading its state.
    enum Reading: Sendable {
        case state(JSONValue)
        /// It is working, and has not answered yet.
        case unknown
        /// It was released.
        case gone
    }

    /// The object's identity, which a later object may have after its release.
    let identity: ObjectIdentifier
    var object: @Sendable () -> AnyObject?
    let state: @Sendable () -> Reading
    var perform: @Sendable (PaginatorInspectorCommand) throws -> Void
    /// The engines of the paginators that use a store.
    var users: (@Sendable () -> [ObjectIdentifier])?
    /// Whether it has no events that show that its state may have changed.
    var isSilent = false
    /// The faults that a paginator was created with.
    var faults: PaginatorInspectorFaults?
    /// Keeps the paginator's scheduler attached.
    var scheduler: PaginatorAttachment?
    /// The engine of a list's paginator.
    var engine: ObjectIdentifier?
    /// The number of attachments.
    var holders = 1
    /// Distinguishes it from an earlier subject with the same number.
    var serial: UInt64 = 0
    /// Ends its events.
    var stop: @Sendable () -> Void = {}

    /// - Parameters:
    ///   - object: the subject, referenced weakly.
    ///   - read: returns its state; `nil` if it is unknown yet.
    ///   - perform: performs a command; none by default.
    init<Object: AnyObject & Sendable>(
        _ object: Object, state read: @escaping @Sendable (Object) -> JSONValue?,
        perform: @escaping @Sendable (Object, PaginatorInspectorCommand) throws -> Void = { _, _ in
            throw PaginatorInspectorError(.impossible)
        }
    ) {
        identity = ObjectIdentifier(object)
        self.object = { [weak object] in object }
        state = { [weak object] in
            guard let object else { return .gone }
            return read(object).map(Reading.state) ?? .unknown
        }
        self.perform = { [weak object] command in
            guard let object else { throw PaginatorInspectorError(.gone) }
            try perform(object, command)
        }
    }

    /// Ends its events, and the faults that a browser forced on it.
    func end() {
        stop()
        faults?.healCommanded()
    }
}

extension PaginatorInspector {
    /// Attaches a subject, or adds a holder to an attached one.
    ///
    /// - Parameters:
    ///   - isNamedByUser: whether the name replaces an earlier one.
    ///   - begin: starts its events, and returns a closure that ends them; called with the number of a new subject.
    func attach(
        _ kind: RecordedSubject.Kind, _ name: String, _ subject: Watched, isNamedByUser: Bool = true,
        _ begin: (_ subject: UInt16) -> @Sendable () -> Void = { _ in {} }
    ) -> PaginatorAttachment {
        guard config.isEnabled else { return .none }
        let time = time
        var (former, isNew) = (Watched?.none, false)
        let known = watched.withLock { all -> (number: UInt16, serial: UInt64)? in
            // Other subjects' objects are not read, because the last reference could be released here, under the lock.
            if let (number, known) = all.first(where: {
                $0.value.identity == subject.identity && $0.value.object() != nil
            }) {
                former = known
                var changed = known
                changed.holders += 1
                if subject.faults != nil { (changed.faults, changed.perform) = (subject.faults, subject.perform) }
                all[number] = changed
                if isNamedByUser { recorder.change(number) { $0.name = name.shortened } }
                return (number, known.serial)
            }
            let paginator = subject.engine.flatMap { engine in
                all.first { $0.value.identity == engine && $0.value.object() != nil }?.key
            }
            guard
                let number = recorder.add(
                    kind, name, at: time,
                    {
                        $0.scheduler = subject.scheduler?.subject
                        $0.paginator = paginator
                    })
            else { return nil }
            var subject = subject
            subject.serial = lastSerial.withLock { last in
                last += 1
                return last
            }
            all[number] = subject
            isNew = true
            return (number, subject.serial)
        }
        if let former, subject.faults != nil, former.faults !== subject.faults { former.faults?.healCommanded() }
        guard let (number, serial) = known else { return .none }
        if isNew {
            let stop = begin(number)
            watched.withLock { $0[number]?.stop = stop }
            if kind == .paginator { relateLists(to: number, of: subject.identity) }
            if takesStates { recordStates(of: [number]) }
            if subject.isSilent { recorder.expectStates() }
        }
        return PaginatorAttachment(subject: number) { [weak self] in self?.release(number, serial) }
    }

    // Lists may be attached before their paginator.
    private func relateLists(to paginator: UInt16, of engine: ObjectIdentifier) {
        let lists = watched.withLock { $0 }.filter { $0.value.engine == engine && $0.value.object() != nil }
        for list in lists.keys.sorted() { recorder.change(list) { $0.paginator = paginator } }
    }

    private func release(_ number: UInt16, _ serial: UInt64) {
        let isLast = watched.withLock { all in
            guard all[number]?.serial == serial else { return false }
            all[number]?.holders -= 1
            return all[number]?.holders == 0
        }
        if isLast { end(number, serial) }
    }

    /// Ends a subject for all of its attachments.
    func end(_ number: UInt16, _ serial: UInt64) {
        if takesStates { recordStates(of: [number]) }
        let gone = watched.withLock { $0[number]?.serial == serial ? $0.removeValue(forKey: number) : nil }
        guard let gone else { return }
        gone.end()
        recorder.detach(number, at: time)
        // Without the lock, because it may hold the last reference to the user's faults, and to an attachment.
        withExtendedLifetime(gone) {}
    }
}

/// A connected browser. When the last one leaves, the faults that they forced end.
final class InspectorVisitor: Sendable {
    private let leave: @Sendable () -> Void

    init(_ inspector: PaginatorInspector) {
        inspector.visitors.withLock { $0 += 1 }
        leave = { [weak inspector] in
            guard let inspector,
                inspector.visitors.withLock({
                    $0 -= 1
                    return $0 == 0
                })
            else { return }
            inspector.recorder.pause(false)
            for watched in inspector.watched.withLock({ $0 }).values { watched.faults?.healCommanded() }
        }
    }

    deinit {
        leave()
    }
}
