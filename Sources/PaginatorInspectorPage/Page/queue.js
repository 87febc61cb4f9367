// Queue and timers: what waits and why, what is loading, and what is armed for when.

import { pageOf } from "./texts.js";
import { make, show, foreign, table } from "./dom.js";
import { Chooser, heading, meter, fact, empty } from "./parts.js";
import { array, duration, finite, number, percent, several, text } from "./format.js";

const mostRows = 200;
const goodNews = ["charging", "idle"];
const stages = { memory: "looks in memory", store: "reads the store", held: "held by conditions", queued: "waits in the queue", paused: "waits for the source's pause",
    backingOff: "backs off", attempt: "asks the source", judging: "is judged", deciding: "decides", failed: "failed" };
const followed = { held: "held by conditions", connecting: "connecting", live: "live", waiting: "lost, waits" };

export class QueueView {
    constructor(app, section) {
        this.app = app;
        this.chooser = new Chooser(app, ["scheduler", "paginator"], "Schedulers and paginators to show");
        this.body = make("div.cards");
        section.append(this.chooser.element, this.body);
    }

    draw() {
        const cards = this.chooser.chosen().map((subject) => {
            const state = this.app.stateNow(subject);
            const parts = !state ? [empty("No state was taken up to this time.")] : subject.kind === "scheduler" ? this.scheduler(state, this.clients(subject.subject)) : this.paginator(state);
            return make("article.card", null, heading(this.app, subject, state), parts);
        });
        const others = this.others();
        if (others) cards.push(others);
        show(this.body, cards.length ? cards : empty("No scheduler or paginator is attached."));
    }

    /** The timers of lists and stores, which have no queue. */
    others() {
        const { recording, time } = this.app;
        const timers = ["list", "store"].flatMap((kind) => recording.subjectsOf(kind)).filter((one) => !one.detached).flatMap((one) =>
            array(recording.stateAt(one.subject, time)?.timers).map((timer) => ({ ...timer, of: recording.subjectName(one.subject) })));
        if (timers.length === 0) return null;
        return make("article.card", null, make("header.subject", null, make("h2", null, "Lists and stores"), make("span.thin", null, several(timers.length, "timer"))), due("Timers of lists and stores", bySoonest(timers), time, "Of"));
    }

    /** The names of a scheduler's clients, which are paginators and know their numbers. */
    clients(scheduler) {
        const { recording, time } = this.app;
        const names = new Map();
        for (const one of recording.subjectsOf("paginator")) {
            const client = recording.stateAt(one.subject, time)?.client;
            if (client !== undefined && (one.scheduler ?? scheduler) === scheduler) names.set(client, recording.subjectName(one.subject));
        }
        return (client) => names.get(client) ?? (typeof client === "number" ? `client ${client}` : text(client));
    }

    scheduler(state, client) {
        const { time } = state;
        const waiting = array(state.waiting), queued = finite(state.queued, waiting.length);
        const oldest = waiting.reduce((least, one) => Math.min(least, finite(one?.since, Infinity)), Infinity);
        const counts = new Map();
        for (const one of waiting) {
            const name = text(one?.priority) || "no priority";
            counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        const backingOff = array(state.backingOff), allBackingOff = backingOff.length + finite(state.backingOffLeftOut);
        return [
            make("div.meters", null,
                meter("Running", state.running, finite(state.limit), `${number(finite(state.running))} of ${number(state.limit)}`),
                fact("Waiting", number(queued)),
                fact("Backing off", number(allBackingOff)),
                fact("Held", number(finite(state.held))),
                Number.isFinite(state.retryBudget) ? meter("Retry budget", state.retryBudget, 1, percent(state.retryBudget), { inverse: true }) : null,
                Number.isFinite(state.throttle) ? meter("Throttled", state.throttle, 1, percent(state.throttle), { bad: state.throttle > 0.05 }) : null,
                state.rate ? meter("Rate bucket", state.rate.tokens, finite(state.rate.capacity), `${number(finite(state.rate.tokens))} of ${text(state.rate.capacity)}, ${text(state.rate.perSecond)} a second`, { inverse: true }) : null,
                Number.isFinite(state.nextPermit) ? fact("Next attempt", state.nextPermit > time ? `in ${duration(state.nextPermit - time)}` : "now") : null),
            make("div.chips", null, make("span.thin", null, "Conditions "), array(state.conditions).length ? array(state.conditions).map((one) => make(goodNews.includes(one) ? "span.chip.fine" : "span.chip.warn", null, text(one))) : make("span.chip", null, "none"),
                state.suspended ? make("span.chip.warn", null, "suspended") : null,
                array(state.pauses).map((one) => make("span.chip.warn", null, foreign(client(one.client)), ` paused for ${duration(Math.max(0, finite(one.until) - time))}`))),
            counts.size ? make("div.chips", null, make("span.thin", null, queued > waiting.length ? `Of the first ${number(waiting.length)}, by priority ` : "Waiting by priority "), [...counts].slice(0, 24).map(([name, count]) => make("span.chip", null, foreign(name), make("b", null, ` ${count}`)))) : null,
            waiting.length ? table("Waiting, in the order in which they start", [{ name: "Page" }, { name: "Client" }, { name: "Priority" }, { name: "Age", numeric: true }],
                waiting.slice(0, mostRows).map((one) => [foreign(label(one.page)), foreign(client(one.client)), text(one.priority), age(one.since, oldest, time)]), queued - Math.min(waiting.length, mostRows)) : empty("Nothing waits."),
            backingOff.length ? [make("h3", null, "Backing off"), due("Backing off", backingOff, time, "Page", allBackingOff)] : null,
        ];
    }

    /** The timer of memory: that of the page that leaves first. */
    expiry(memory) {
        if (!Number.isFinite(memory?.nextExpiry)) return [];
        return [{ purpose: "its time in memory ends", page: array(memory.entries).find((entry) => entry?.leaves === memory.nextExpiry)?.page, due: memory.nextExpiry }];
    }

    paginator(state) {
        const { time } = state;
        const loads = array(state.loads).slice().sort((one, other) => finite(one.since) - finite(other.since));
        const allLoads = loads.length + finite(state.loadsLeftOut);
        const errors = array(state.errors);
        const following = array(state.following);
        const timers = bySoonest([...array(state.timers), ...this.expiry(state.memory), ...following.filter((one) => Number.isFinite(one?.due)).map((one) => ({ purpose: "connects again to what it follows", due: one.due }))]);
        const allTimers = timers.length + finite(state.timersLeftOut);
        const bursts = array(state.debouncing);
        return [
            make("div.meters", null, state.prefetches > 0 ? fact("Prefetches", number(state.prefetches)) : null, fact("Mode", text(state.mode) || "–"), fact("Loads", number(allLoads)), fact("Fetches that wait", number(finite(state.waiting))),
                fact("Timers", number(allTimers)), state.calls === undefined ? null : fact("Calls of the source", number(finite(state.calls))),
                following.length ? fact("Follows", following.map((one) => Object.hasOwn(followed, text(one?.state)) ? followed[one.state] : text(one?.state)).join(", ")) : null),
            bursts.length ? [make("h3", null, "Bursts"), table("Bursts that have not ended", [{ name: "Debounce key" }, { name: "Page" }, { name: "Starts", numeric: true }],
                bursts.slice(0, mostRows).map((one) => [foreign(text(one?.debounceKey)), foreign(label(one?.page)), burstEnd(state, one, time)]), bursts.length - mostRows)] : null,
            make("h3", null, "Loads"),
            loads.length ? table("Loads", [{ name: "Page" }, { name: "Stage" }, { name: "For", numeric: true }, { name: "Due", numeric: true }, { name: "Attempt", numeric: true }, { name: "Waiters", numeric: true }, { name: "Priority" }],
                loads.slice(0, mostRows).map((load) => [foreign(label(load.page)), make(`span.stage.stage-${/^\w+$/.test(load.stage) ? load.stage : "other"}`, null, stages[load.stage] ?? text(load.stage)), age(load.since, loads[0].since, time),
                    Number.isFinite(load.due) ? when(load.due, time) : "–", load.attempt ? text(load.attempt) : "–", text(load.waiters ?? "–"), text(load.priority)]), allLoads - Math.min(loads.length, mostRows)) : empty("Nothing is loading."),
            make("h3", null, "Timers"),
            timers.length ? due("Timers", timers, time, "Page", allTimers) : empty("No timer is armed."),
            errors.length ? [make("h3", null, "Last errors"), table("Last errors", [{ name: "Page" }, { name: "Error" }], errors.slice(-12).reverse().map((one) => [foreign(label(one?.page)), foreign(text(one?.error))]))] : null,
        ];
    }
}

function bySoonest(timers) { return timers.slice().sort((one, other) => finite(one?.due, Infinity) - finite(other?.due, Infinity)); }

/** What is due, soonest first, with the time that is left as a bar. */
function due(name, list, time, of = "Page", all = list.length) {
    const longest = list.reduce((most, one) => Math.max(most, finite(one.due) - time), 1);
    const tellsWhy = list.some((one) => one?.purpose);
    return table(name, [...(tellsWhy ? [{ name: "For" }] : []), { name: of }, { name: "Due", numeric: true }, { name: "" }], list.slice(0, mostRows).map((one) => {
        const due = finite(one.due, NaN), left = due - time;
        return [...(tellsWhy ? [foreign(text(one.purpose) || name)] : []), foreign(one.of ?? label(one.page)), when(due, time),
            make("progress.time", { max: "1", value: Math.max(0.06, Math.min(1, left / longest)).toFixed(2), "aria-hidden": "true" })];
    }), all - Math.min(list.length, mostRows));
}

/** When the burst of a lane ends, as its timer has it. */
function burstEnd(state, lane, time) {
    const page = pageOf(lane?.page)?.id;
    const timer = array(state.timers).find((one) => one?.purpose === "burst ends" && pageOf(one.page)?.id === page);
    return timer ? when(finite(timer.due), time) : "–";
}

function when(due, time) { return due >= time ? `in ${duration(due - time)}` : `${duration(time - due)} ago`; }

function age(since, oldest, time) {
    if (!Number.isFinite(since)) return "–";
    const most = Math.max(time - finite(oldest, since), 1);
    return make("span.age", null, duration(Math.max(0, time - since)), make("progress", { max: "1", value: Math.max(0, Math.min(1, (time - since) / most)).toFixed(2), "aria-hidden": "true" }));
}

function label(value) { return pageOf(value)?.label ?? "–"; }
