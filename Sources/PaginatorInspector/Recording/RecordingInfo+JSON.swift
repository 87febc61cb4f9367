import PaginatorCore

extension RecordingInfo {
    var json: JSONValue {
        .members([
            "version": .count(Self.version), "app": .text(app), "started": .text(started), "clock": .text(clock),
            // As text, because JavaScript's numbers are exact up to 53 bits.
            "seed": seed.map { .text(String($0)) }, "keysHashed": .flag(keysHashed), "lost": .count(lost),
            "kinds": .texts(kinds), "origins": .texts(origins), "causes": .texts(causes),
        ])
    }

    init(_ json: JSONValue, at place: Int) throws(PaginatorRecordingError) {
        guard let version = json["version"]?.whole, version > 0 else {
            throw PaginatorRecordingError(.damaged, at: place)
        }
        guard version <= Self.version else { throw PaginatorRecordingError(.newer, at: place) }
        app = json["app"]?.text ?? ""
        started = json["started"]?.text ?? ""
        clock = json["clock"]?.text ?? "system"
        seed = json["seed"]?.text.flatMap { UInt64($0) }
        keysHashed = json["keysHashed"]?.flag ?? false
        lost = max(0, json["lost"]?.whole ?? 0)
        kinds = json["kinds"]?.list.compactMap(\.text) ?? []
        origins = json["origins"]?.list.compactMap(\.text) ?? []
        causes = json["causes"]?.list.compactMap(\.text) ?? []
    }
}

extension RecordedSubject {
    var json: JSONValue {
        .members([
            "subject": .count(Int(number)), "kind": .text(kind.rawValue), "name": .text(name),
            "paginator": paginator.map { .count(Int($0)) }, "scheduler": scheduler.map { .count(Int($0)) },
            "detached": .flag(isDetached), "end": end.map(JSONValue.number),
        ])
    }

    init(_ json: JSONValue, at place: Int) throws(PaginatorRecordingError) {
        guard let number = json["subject"]?.whole.flatMap(UInt16.init(exactly:)),
            let kind = json["kind"]?.text.flatMap(Kind.init), let name = json["name"]?.text
        else { throw PaginatorRecordingError(.damaged, at: place) }
        self.number = number
        self.kind = kind
        self.name = name
        paginator = json["paginator"]?.whole.flatMap(UInt16.init(exactly:))
        scheduler = json["scheduler"]?.whole.flatMap(UInt16.init(exactly:))
        isDetached = json["detached"]?.flag ?? false
        end = json["end"]?.number
    }
}

extension LiveFacts {
    var json: JSONValue {
        .members([
            "lost": .count(lost), "paused": .flag(isPaused),
            "faults": .list(
                faults.sorted { $0.key < $1.key }.map { subject, setting in
                    .members([
                        "subject": .count(Int(subject)), "error": setting.failure.map { .text($0.rawValue) },
                        "latency": setting.latency > .zero ? .number(setting.latency.inSeconds * 1_000) : nil,
                        "offline": .flag(setting.conditions.contains(.offline)),
                        "lowPower": .flag(setting.conditions.contains(.lowPower)),
                    ])
                }),
        ])
    }
}
