import PaginatorCore

/// Something that is attached to an inspector, without being kept alive.
struct Watched: Sendable {
    /// What its state is.
    enum Reading: Sendable {
        case state(JSONValue)
        /// It is at work, and has not told one yet.
        case unknown
        /// It is no more.
        case gone
    }

    /// That of the object, which another one may have when it is no more.
    let identity: ObjectIdentifier
    var object: @Sendable () -> AnyObject?
    let state: @Sendable () -> Reading
    var perform: @Sendable (PaginatorInspectorCommand) throws -> Void
    /// The engines of the paginators that use a store.
    var users: (@Sendable () -> [ObjectIdentifier])?
    /// Whether it tells of no events, from which it would be known that its state may have changed.
    var isSilent = false
    /// What a paginator was made with.
    var faults: PaginatorInspectorFaults?
    /// What keeps the scheduler of a paginator attached.
    var scheduler: PaginatorAttachment?
    /// The engine of the paginator of a list.
    var engine: ObjectIdentifier?
    /// How many attachments it has.
    var holders = 1
    /// Tells it from what had its number before.
    var serial: UInt64 = 0
    /// Ends its events.
    var stop: @Sendable () -> Void = {}

    /// - Parameters:
    ///   - object: what it is about, weakly kept.
    ///   - read: its state; `nil` while it is not known yet.
    ///   - perform: what it can be asked to do; nothing by default.
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

    /// Ends its events, and what was forced on it for somebody who looked.
    func end() {
        stop()
        faults?.healCommanded()
    }
}

extension PaginatorInspector {
    /// Attaches something, or adds a holder to what is attached already.
    ///
    /// - Parameters:
    ///   - isNamedByUser: whether the name replaces a former one.
    ///   - begin: begins its events, and returns what ends them; called with the number of a new subject.
    func attach(
        _ kind: RecordedSubject.Kind, _ name: String, _ subject: Watched, isNamedByUser: Bool = true,
        _ begin: (_ subject: UInt16) -> @Sendable () -> Void = { _ in {} }
    ) -> PaginatorAttachment {
        guard config.isEnabled else { return .none }
        let time = time
        var (former, isNew) = (Watched?.none, false)
        let known = watched.withLock { all -> (number: UInt16, serial: UInt64)? in
            // Nobody else's object is asked for: its last reference could end here, with the lock held.
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

    /// Ends a subject for all who have attached it.
    func end(_ number: UInt16, _ serial: UInt64) {
        if takesStates { recordStates(of: [number]) }
        let gone = watched.withLock { $0[number]?.serial == serial ? $0.removeValue(forKey: number) : nil }
        guard let gone else { return }
        gone.end()
        recorder.detach(number, at: time)
        // Without the lock: it may have the last reference to faults, which belong to the user, and to an attachment.
        withExtendedLifetime(gone) {}
    }
}

/// Somebody who looks in the browser. With the last one goes what they asked for.
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
