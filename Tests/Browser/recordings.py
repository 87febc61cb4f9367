"""Recordings for the tests of the inspector's page, written from the description of the format and not with the library.

A recording is a signature and chunks; see docs/inspector.md.
"""
import json
import math
import struct

KINDS = """fetchStarted fetchEnded memoryHit memoryMiss storeReadStarted storeHit storeMiss joined loadStarted loadEnded
attemptStarted attemptEnded retryScheduled retryRefused throttled sourcePaused validated verdict evicted stored storeEvicted
decoded lateAnswer duplicateAnswer repeatedKey refusedKey storeFailed callbackDelivered followed followingLost eventsLost
note""".split()
ORIGINS = ["memory", "store", "source"]
CAUSES = ["strategy", "lifetime", "cleared", "replaced", "rejected", "trimmed"]
MS = 1_000_000
S = 1_000_000_000
EVENT = struct.Struct("<ddIIIiHBBBBH")
assert EVENT.size == 40


def chunk(kind, payload):
    return kind.encode() + struct.pack("<I", len(payload)) + payload


def json_chunk(kind, value):
    return chunk(kind, json.dumps(value).encode())


class Recording:
    """Writes chunks in the order of the calls."""

    def __init__(self, clock="system", **info):
        self.parts = []
        self.ids = {}
        self.pending = []
        self.json("I", {"version": 1, "app": "Story", "started": "2026-01-02T03:04:05Z", "clock": clock, "keysHashed": False,
                        "lost": 0, "kinds": KINDS, "origins": ORIGINS, "causes": CAUSES} | info)

    def json(self, kind, value):
        self.flush()
        self.parts.append(json_chunk(kind, value))

    def subject(self, number, kind, name, **more):
        self.json("A", {"subject": number, "kind": kind, "name": name, "detached": False} | more)

    def text(self, value):
        if value is None:
            return 0
        if value not in self.ids:
            self.flush()
            self.ids[value] = len(self.ids) + 1
            self.parts.append(chunk("N", struct.pack("<I", self.ids[value]) + value.encode()))
        return self.ids[value]

    def event(self, kind, time, page=None, duration=None, error=None, detail=None, count=-1, subject=1, origin=None, cause=None, attempt=0):
        error = error and json.dumps({"code": error[0], "message": error[1]})
        ids = self.text(page and json.dumps(page)), self.text(error), self.text(detail)
        self.pending.append(EVENT.pack(time, math.nan if duration is None else duration, *ids, count, subject, KINDS.index(kind),
                                       ORIGINS.index(origin) + 1 if origin else 0, CAUSES.index(cause) + 1 if cause else 0, 0, attempt))

    def flush(self):
        if self.pending:
            self.parts.append(chunk("E", struct.pack("<I", len(self.pending)) + b"".join(self.pending)))
            self.pending = []

    def state(self, subject, time, **fields):
        self.json("S", {"subject": subject, "time": time} | fields)

    def chunks(self):
        self.flush()
        return b"".join(self.parts)

    def bytes(self):
        return b"PAGREC01" + self.chunks()


def page(key, scope="feed", size=20):
    return {"scope": scope, "key": key, "size": size}


def load(out, key, start, wait, call, *, subject=1, scope="feed", attempts=1, backoff=0, error=None, deliver=2 * MS):
    """One load as a paginator tells it. Answers its end."""
    one = page(key, scope)
    out.event("fetchStarted", start, one, subject=subject)
    out.event("memoryMiss", start, one, subject=subject)
    out.event("storeReadStarted", start, one, subject=subject)
    out.event("storeMiss", start + 3 * MS, one, 3 * MS, subject=subject)
    begin = start + 3 * MS
    out.event("loadStarted", begin, one, subject=subject)
    now = begin
    for attempt in range(1, attempts + 1):
        out.event("attemptStarted", now + wait, one, wait, attempt=attempt, count=1, subject=subject)
        now += wait + call
        last = attempt == attempts
        out.event("attemptEnded", now, one, call, attempt=attempt, error=error if last else ("timedOut", "No answer came in time."), subject=subject)
        if not last:
            out.event("retryScheduled", now, one, backoff, attempt=attempt, error=("timedOut", "No answer came in time."), subject=subject)
            now += backoff
    if not error:
        out.event("decoded", now, one, 2 * MS, origin="source", subject=subject)
        out.event("validated", now + MS, one, MS, subject=subject)
        now += MS
    out.event("loadEnded", now, one, now - begin, error=error, subject=subject)
    out.event("fetchEnded", now, one, now - start, error=error, origin=None if error else "source", subject=subject)
    out.event("callbackDelivered", now + deliver, one, deliver, subject=subject)
    if not error:
        out.event("stored", now + 9 * MS, None, 4 * MS, count=1, subject=subject)
    return now


def entry(key, since, scope="feed", **more):
    return {"page": page(key, scope), "since": since, "items": 20, "bytes": 18_400, "pinned": False} | more


def story():
    """Three loads in order with known durations, the second with a retry, the third with an error; then an eviction and a
    load of the same page again."""
    out = Recording()
    out.subject(1, "paginator", "Feed", scheduler=2)
    out.subject(2, "scheduler", "Scheduler")
    out.state(1, 0, mode="running", loads=[], timers=[], memory={"pages": 0, "items": 0, "bytes": 0, "limits": {"pages": 3}, "strategy": "adaptive", "entries": []})
    load(out, "p1", 100 * MS, 10 * MS, 119 * MS)
    load(out, "p2", 400 * MS, 20 * MS, 200 * MS, attempts=2, backoff=300 * MS)
    load(out, "p3", 1500 * MS, 5 * MS, 80 * MS, error=("sourceFailed", "The server answered 500."))
    out.state(1, 1600 * MS, mode="running", loads=[], timers=[{"purpose": "attempt times out", "page": page("p1"), "due": 3600 * MS}],
              memory={"pages": 2, "items": 40, "bytes": 36_800, "limits": {"pages": 3}, "strategy": "adaptive", "entries": [entry("p1", 233 * MS), entry("p2", 1144 * MS)]})
    out.event("memoryHit", 1700 * MS, page("p1"), origin="memory")
    out.event("evicted", 2000 * MS, page("p1"), cause="strategy")
    out.state(1, 2001 * MS, mode="running", loads=[], timers=[],
              memory={"pages": 1, "items": 20, "bytes": 18_400, "limits": {"pages": 3}, "strategy": "adaptive", "entries": [entry("p2", 1144 * MS)]})
    load(out, "p1", 2500 * MS, 10 * MS, 150 * MS)
    return out


def growing(steps=12, window=4, size=20):
    """A list that grows page by page and drops the pages above its window; a state after each step, a second apart."""
    out = Recording(clock="simulated", seed=42, app="World")
    out.subject(1, "paginator", "Feed")
    out.subject(2, "list", "Feed list", paginator=1)
    out.subject(3, "store", "Store")
    for step in range(1, steps + 1):
        now = step * S
        load(out, f"p{step}", now - 300 * MS, 5 * MS, 150 * MS)
        first = max(0, step - window)
        if first:
            out.event("evicted", now - 50 * MS, page(f"p{first}"), cause="strategy")
        slots = [{"page": page(f"p{at + 1}"), "first": at * size, "count": size, "state": "dropped" if at < first else "fresh", "pinned": at >= first, "since": (at + 1) * S} for at in range(step)]
        gaps = [{"row": 3 * size, "state": "idle"}] if step >= 8 else []
        out.state(1, now, mode="running", loads=[], timers=[], memory={"pages": step - first, "items": (step - first) * size, "bytes": (step - first) * 18_400,
                  "limits": {"pages": window + 2}, "strategy": "lru", "entries": [entry(f"p{at + 1}", (at + 1) * S, pinned=True) for at in range(first, step)]})
        out.state(2, now, paginator=1, scope="feed", rows=step * size, total=400, visible=[max(0, (step - 2) * size), step * size - 1],
                  windowItems=window * size, slots=slots, gaps=gaps, next="idle", previous="endReached", refresh="idle", pendingEdits=0, prefetchDistance=10)
        out.state(3, now, paginators=[1], pages=step, bytes=step * 20_000, limits={"bytes": 1_000_000}, pendingWrites=0, entries=[{"page": page(f"p{at + 1}"), "bytes": 20_000} for at in range(step)])
    return out


def million(count=1_000_000):
    """Very many events: an hour of loads of 5,000 pages, four at a time, with attempts, hits and evictions."""
    out = Recording(app="Million")
    out.subject(1, "paginator", "Feed")
    pages = [out.text(json.dumps(page(f"key-{number}"))) for number in range(5000)]
    error = out.text(json.dumps({"code": "timedOut", "message": "No answer came in time."}))
    number = {name: KINDS.index(name) for name in KINDS}
    records = bytearray()
    pack = EVENT.pack
    nan = math.nan
    step = 3600 * S / (count / 5)
    for at in range(count // 5):
        time = at * step
        records += pack(time, nan, pages[at % 5000], 0, 0, -1, 1, number["loadStarted"], 0, 0, 0, 0)
        records += pack(time + step * 0.1, step * 0.1, pages[at % 5000], 0, 0, -1, 1, number["attemptStarted"], 0, 0, 0, 1)
        if at % 2:
            records += pack(time + step * 0.2, nan, pages[at * 31 % 5000], 0, 0, -1, 1, number["memoryHit"], 1, 0, 0, 0)
        else:
            records += pack(time + step * 0.3, nan, pages[at * 31 % 5000], 0, 0, -1, 1, number["evicted"], 0, 1 + at // 2 % 6, 0, 0)
        # Of the load that began three steps before; the last three never end.
        old = max(0, at - 3)
        began, one = old * step, pages[old % 5000]
        failed = error if old % 97 == 0 else 0
        records += pack(time + step * 0.4, time + step * 0.4 - began - step * 0.1, one, failed, 0, -1, 1, number["attemptEnded"], 0, 0, 0, 1)
        records += pack(time + step * 0.5, time + step * 0.5 - began, one, failed, 0, -1, 1, number["loadEnded"], 0, 0, 0, 0)
    out.flush()
    for first in range(0, len(records), 40 * 50_000):
        part = records[first:first + 40 * 50_000]
        out.parts.append(chunk("E", struct.pack("<I", len(part) // 40) + bytes(part)))
    return out


ATTACK = '<img src=x onerror="window.attacked=1"><script>window.attacked=2</script>'


def attack():
    """Texts that are markup, in every place that a recording has for texts."""
    out = Recording(app=ATTACK)
    out.subject(1, "paginator", ATTACK)
    out.subject(2, "list", ATTACK, paginator=1)
    out.subject(3, "scheduler", ATTACK)
    one = page(ATTACK, ATTACK)
    out.event("loadStarted", 10 * MS, one)
    out.event("loadEnded", 200 * MS, one, 190 * MS, error=(ATTACK, ATTACK), detail=ATTACK)
    out.state(1, 100 * MS, mode=ATTACK, loads=[{"page": one, "stage": ATTACK, "since": 0, "priority": ATTACK}], timers=[{"purpose": ATTACK, "page": one, "due": S}],
              memory={"pages": 1, "bytes": 1, "items": 1, "strategy": ATTACK, "adaptive": {"follows": ATTACK, "why": ATTACK, "scores": [{"name": ATTACK, "hits": 1}]},
                      "entries": [{"page": one, "since": 0, "items": 1, "bytes": 1, "tags": [ATTACK]}]}, following=[{"state": ATTACK}])
    out.state(2, 100 * MS, paginator=1, scope=ATTACK, rows=20, edits=[{"item": ATTACK, "change": ATTACK}], timers=[{"purpose": ATTACK, "due": S}], slots=[{"page": one, "first": 0, "count": 20, "state": ATTACK, "since": 0}], gaps=[{"row": 0, "state": ATTACK}], next=ATTACK)
    out.state(3, 100 * MS, running=0, limit=4, waiting=[{"client": ATTACK, "page": one, "priority": ATTACK, "since": 0}], conditions=[ATTACK], pauses=[{"client": ATTACK, "until": S}])
    return out


def busy(seconds=90, seed=7):
    """A feed, its comments and an outage of a dozen seconds in which attempts fail: something of everything, for people to look at."""
    import random
    random = random.Random(seed)
    out = Recording(app="Reader")
    out.subject(1, "paginator", "Home feed", scheduler=5)
    out.subject(2, "paginator", "Comments", scheduler=5)
    out.subject(3, "list", "Home", paginator=1)
    out.subject(4, "list", "Thread 2281", paginator=2)
    out.subject(5, "scheduler", "Scheduler")
    out.subject(6, "store", "Disk")
    names = {1: "home", 2: "thread/2281"}
    memory = {1: {}, 2: {}}
    disk, busy_until, waiting = {}, {}, []
    reach = {1: 0, 2: 0}
    totals = {"lru": 0, "lirs": 0, "s3fifo": 0, "cache": 0}
    events = []

    def emit(time, *arguments, **more):
        events.append((time, lambda: out.event(arguments[0], time, *arguments[1:], **more)))

    def visit(subject, number, now):
        key, scope = f"after={number * 20}" if number else "start", names[subject]
        one = page(key, scope)
        outage = 38 * S < now < 50 * S
        emit(now, "fetchStarted", one, subject=subject)
        running = busy_until.get((subject, number), 0)
        if running > now:
            emit(now + 60_000, "memoryMiss", one, subject=subject)
            emit(now + 70_000, "joined", one, subject=subject)
            emit(running, "fetchEnded", one, running - now, subject=subject, origin="source")
            return
        held = memory[subject].get(number)
        for name, odds in (("lru", 0.62), ("lirs", 0.66), ("s3fifo", 0.7), ("cache", 0.5)):
            totals[name] += random.random() < odds
        if held:
            emit(now + 60_000, "memoryHit", one, subject=subject, origin="memory")
            emit(now + 400_000, "fetchEnded", one, 400_000, subject=subject, origin="memory")
            emit(now + 900_000, "callbackDelivered", one, 500_000, subject=subject)
            held["used"] = now
            return
        emit(now + 60_000, "memoryMiss", one, subject=subject)
        read = random.randint(1, 7) * MS
        emit(now + 80_000, "storeReadStarted", one, subject=subject)
        if (subject, number) in disk and random.random() < 0.75:
            emit(now + read, "storeHit", one, read, subject=subject, origin="store")
            end, origin = now + read + MS, "store"
        else:
            emit(now + read, "storeMiss", one, read, subject=subject)
            begin = now + read
            emit(begin, "loadStarted", one, subject=subject)
            at, attempt, ok = begin, 1, False
            while True:
                wait = random.randint(1, 30) * MS if random.random() < 0.7 else random.randint(100, 700) * MS
                call = int(min(2.4, random.lognormvariate(-1.15, 0.55)) * S)
                ok = not (outage and random.random() < 0.85) and random.random() > 0.03
                code = random.choice([("timedOut", "No answer came in time."), ("sourceFailed", "The server answered 503.")])
                emit(at + wait, "attemptStarted", one, wait, subject=subject, attempt=attempt, count=random.randint(0, 4))
                at += wait + call
                emit(at, "attemptEnded", one, call, subject=subject, attempt=attempt, error=None if ok else code)
                if ok or attempt == 3:
                    break
                backoff = int(random.uniform(0.3, 1) * S * 2 ** (attempt - 1))
                emit(at, "retryScheduled", one, backoff, subject=subject, attempt=attempt, error=code)
                at += backoff
                attempt += 1
            busy_until[(subject, number)] = at + 3 * MS
            if not ok:
                if outage and random.random() < 0.5:
                    emit(at, "retryRefused", one, subject=subject, error=code)
                emit(at, "loadEnded", one, at - begin, subject=subject, error=code)
                emit(at, "fetchEnded", one, at - now, subject=subject, error=code)
                emit(at + 2 * MS, "callbackDelivered", one, 2 * MS, subject=subject)
                return
            emit(at + MS, "decoded", one, 3 * MS, subject=subject, origin="source")
            if random.random() < 0.07:
                emit(at + 2 * MS, "verdict", one, MS, subject=subject, detail="partial: 3 of 20 items have no author")
            else:
                emit(at + 2 * MS, "validated", one, MS, subject=subject)
            end, origin = at + 3 * MS, "source"
            emit(end, "loadEnded", one, end - begin, subject=subject)
            wrote = random.randint(3, 14) * MS
            emit(end + wrote, "stored", None, wrote, subject=6, count=1)
            disk[(subject, number)] = random.randint(14_000, 26_000)
        emit(end, "fetchEnded", one, end - now, subject=subject, origin=origin)
        emit(end + 3 * MS, "callbackDelivered", one, 3 * MS, subject=subject)
        memory[subject][number] = {"since": end, "used": end, "bytes": random.randint(15_000, 24_000)}
        limit = 14 if subject == 1 else 8
        while len(memory[subject]) > limit:
            victim = min(memory[subject], key=lambda one: memory[subject][one]["used"])
            memory[subject].pop(victim)
            emit(end + MS, "evicted", page(f"after={victim * 20}" if victim else "start", scope), subject=subject, cause="strategy")
        for number in [one for one, held in memory[subject].items() if end - held["since"] > 35 * S and random.random() < 0.4]:
            memory[subject].pop(number)
            emit(end + MS, "evicted", page(f"after={number * 20}" if number else "start", scope), subject=subject, cause="lifetime")

    now, place = 300 * MS, {1: 0, 2: 0}
    while now < seconds * S:
        subject = 1 if random.random() < 0.68 else 2
        visit(subject, place[subject], now)
        reach[subject] = max(reach[subject], place[subject] + 1)
        place[subject] = min(max(0, place[subject] + random.choice([1, 1, 1, 1, -1, -1, 0, 1])), 15 if subject == 2 else 59)
        if random.random() < 0.03:
            place[subject] = 0
            gone = list(memory[subject])[:2]
            for number in gone:
                memory[subject].pop(number)
                emit(now, "evicted", page(f"after={number * 20}" if number else "start", names[subject]), subject=subject, cause=random.choice(["replaced", "cleared", "trimmed"]))
        now += int(random.expovariate(1 / 0.26) * S) + 20 * MS
        second = now // S
        if events and len(waiting) < second:
            waiting.append(second)
            states_at(out, events, second * S, memory, disk, place, reach, names, totals, random)
    for _, write in sorted(events, key=lambda one: one[0]):
        write()
    return out


def states_at(out, events, time, memory, disk, place, reach, names, totals, random):
    """The states of everything in `busy`, written in the order of their times."""
    outage = 38 * S < time < 51 * S
    key = lambda number: f"after={number * 20}" if number else "start"
    states, running, tasks = [], {}, [time // S * 100]
    for subject in (1, 2):
        held = memory[subject]
        top = place[subject]
        window = range(max(0, top - 4), top + 5)
        # The page that is looked at next, and some ahead of it; in the outage most of them wait for another attempt.
        loads = []
        for step in range(1, random.choice([2, 3, 4])):
            stage = random.choice(["attempt", "backingOff", "backingOff"] if outage else ["attempt", "queued", "store"])
            since = time - random.randint(20, 900) * MS
            asked = stage in ("attempt", "backingOff")
            tasks[0] += 1
            loads.append({"page": page(key(top + step), names[subject]), "stage": stage, "since": since, "waiters": random.randint(1, 3), "priority": "high" if step == 1 else "low",
                          **({"attempt": 2 if stage == "backingOff" else 1} if asked else {}), **({} if stage == "store" else {"task": tasks[0]}),
                          **({"due": since + 10 * S} if stage == "attempt" else {"due": since + S} if stage == "store" else {})})
        running[subject] = loads
        timers = [{"purpose": "attempt times out", "page": one["page"], "due": one["since"] + 10 * S} for one in loads if one["stage"] == "attempt"]
        timers += [{"purpose": "store times out", "page": one["page"], "due": one["since"] + S} for one in loads if one["stage"] == "store"]
        if subject == 1 and time // S % 3 == 2:
            bursts = [{"debounceKey": "search", "page": page("q=swift", names[1])}]
            timers.append({"purpose": "burst ends", "page": bursts[0]["page"], "due": time + 240 * MS})
        else:
            bursts = []
        timers += [{"purpose": "fetch times out", "page": one["page"], "due": one["since"] + 30 * S} for one in loads for _ in range(one["waiters"])]
        size = sum(one["bytes"] for one in held.values())
        states.append(dict(subject=subject, client=subject, mode="running", waiting=sum(one["waiters"] for one in loads), loads=loads, timers=timers, debouncing=bursts, calls=len(events) // 9,
            memory={"pages": len(held), "items": len(held) * 20, "bytes": size, "limits": {"pages": 14, "bytes": 300_000} if subject == 1 else {"pages": 8}, "pinned": {"pages": min(5, len(held)), "items": 100, "bytes": size // 3},
                    "strategy": "adaptive" if subject == 1 else "lru", **({"adaptive": {"follows": max(totals, key=totals.get), "why": "recentHits", "scores": [{"name": name, "hits": hits} for name, hits in totals.items()]}} if subject == 1 else {}),
                    **({"nextExpiry": min(one["since"] for one in held.values()) + 35 * S} if held else {}),
                    "entries": [{"page": page(key(number), names[subject]), "since": one["since"], "expires": one["since"] + 20 * S, "leaves": one["since"] + 35 * S, "items": 20, "bytes": one["bytes"], "pinned": number in window} for number, one in held.items()]},
            following=[{"state": "waiting", "due": time + 7 * S} if outage else {"state": "live", "since": 2 * S}] if subject == 1 else []))
        slots = []
        for number in range(reach[subject]):
            if subject == 1 and 9 <= number < 12 and reach[1] > 16:
                continue
            one = held.get(number)
            state = "fresh" if one and time - one["since"] < 20 * S else "stale" if one else "dropped" if number not in window else "loading"
            if outage and number == top:
                state = "failed"
            slots.append({"page": page(key(number), names[subject]), "first": number * 20, "count": 20, "state": state, "pinned": number in window and one is not None, "since": one["since"] if one else time - 2 * S})
        states.append(dict(subject=subject + 2, paginator=subject, scope=names[subject], rows=reach[subject] * 20, total=1200 if subject == 1 else 320, visible=[top * 20 + 4, top * 20 + 13],
            windowItems=180, slots=slots, gaps=[{"row": 180, "state": "idle"}] if subject == 1 and reach[1] > 16 else [],
            next="loading" if loads else "idle", previous="idle", refresh="failed: timedOut" if outage else "idle", prefetchDistance=30,
            edits=[{"item": "88213", "change": "changed"}] if subject == 1 else [], pendingEdits=1 if subject == 1 else 0,
            timers=[{"purpose": "a page becomes stale", "due": time + 3200 * MS}] if subject == 1 else []))
    tasks_of = lambda stage: [{"client": subject, "task": load["task"], "page": load["page"], "priority": load["priority"], "since": load["since"]}
                              for subject, loads in running.items() for load in loads if load["stage"] == stage]
    waiting = tasks_of("queued")
    states.append(dict(subject=5, running=len(tasks_of("attempt")), limit=6, queued=len(waiting), waiting=waiting,
        backingOff=[{"client": one["client"], "task": one["task"], "page": one["page"], "due": one["since"] + 1300 * MS} for one in tasks_of("backingOff")], held=0,
        conditions=["weakLink"] if outage else ["charging"], retryBudget=0.2 if outage else min(1, 0.4 + time / S / 200), throttle=0.35 if outage else 0.0, pauses=[{"client": 2, "until": time + 4 * S}] if outage else [],
        rate={"tokens": random.randint(2, 10), "capacity": 10, "perSecond": 5}, suspended=False, **({"nextPermit": time + 130 * MS} if waiting else {})))
    writes = random.randint(0, 3)
    states.append(dict(subject=6, paginators=[1, 2], pages=len(disk), bytes=sum(disk.values()), limits={"bytes": 1_500_000, "pages": 500}, pendingWrites=writes, flushing=False,
        timers=[{"purpose": "what waits is written", "due": time + 35 * MS}] if writes else [],
        entries=[{"page": page(key(number), names[subject]), "bytes": size} for (subject, number), size in disk.items()]))
    for fields in states:
        subject = fields.pop("subject")
        events.append((time, lambda subject=subject, fields=fields: out.state(subject, time, **fields)))
