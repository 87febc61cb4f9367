// Do: change what runs, and see the server's answer. Nothing here works on a saved recording, and it says so.

import { pageOf } from "./texts.js";
import { make, show, setText, foreign } from "./dom.js";
import { array, moment, text } from "./format.js";

const errors = { retry: "an error worth another attempt", fatal: "an error that stays", keyExpired: "an expired key", hang: "no answer at all" };
const mostPages = 500;

export class ActionsView {
    constructor(app, section) {
        this.app = app;
        this.section = section;
        this.reason = make("p.reason", { role: "note" });
        this.chosen = { subject: null, page: null };
        this.subject = make("select", { id: "do-subject", onchange: () => { this.chosen.page = null; this.choose("subject"); } });
        this.page = make("select", { id: "do-page", onchange: () => this.choose("page") });
        const button = (label, command, style = "") => make(`button${style}`, { type: "button", "data-do": command }, label);
        const evict = button("Evict", "evict");
        this.caching = make("fieldset", null, make("legend", null, "Pages"),
            make("p", null, make("label", { for: "do-page" }, "Page"), this.page),
            make("p.buttons", null, button("Refresh", "refresh"), button("Invalidate", "invalidate"), button("Clear", "clear", ".danger"), evict),
            make("p.note", null, "Refresh asks the source anew for one page, invalidate makes stale, clear empties memory and the store, evict takes what is not pinned out of memory alone."));
        this.error = make("select", { id: "do-error" }, make("option", { value: "" }, "none"), Object.entries(errors).map(([one, words]) => make("option", { value: one }, words)));
        this.latency = make("input", { type: "number", id: "do-latency", min: "0", max: "600000", step: "50", placeholder: "0", inputmode: "numeric" });
        this.offline = make("input", { type: "checkbox", id: "do-offline" });
        this.lowPower = make("input", { type: "checkbox", id: "do-low-power" });
        this.forcedNote = make("p.note");
        this.faults = make("fieldset", null, make("legend", null, "Faults"),
            make("p", null, make("label", { for: "do-error" }, "Every call fails with"), this.error),
            make("p", null, make("label", { for: "do-latency" }, "Latency added, ms"), this.latency),
            make("p", null, make("label.check", null, this.offline, "Offline"), make("label.check", null, this.lowPower, "Low power")),
            make("p.buttons", null, button("Apply", "faults", ".primary"), button("No faults", "no faults")), this.forcedNote);
        this.advance = make("input", { type: "number", id: "do-advance", min: "0", step: "any", value: "60" });
        this.moment = make("input", { type: "number", id: "do-moment", min: "0", step: "any", placeholder: "of the recording" });
        this.clockReason = make("p.note");
        this.clock = make("fieldset", null, make("legend", null, "Clock"),
            make("p", null, make("label", { for: "do-advance" }, "Seconds on"), this.advance, button("Advance", "clock", ".primary")),
            make("p", null, make("label", { for: "do-moment" }, "To second"), this.moment, button("Set", "set clock", ".primary")), this.clockReason);
        this.recorderNote = make("p.note");
        this.recorder = make("fieldset", null, make("legend", null, "Recorder"), make("p.buttons", null, button("Pause", "pause"), button("Resume", "resume")), this.recorderNote);
        this.log = make("ol.log", { role: "log", "aria-label": "Answers", "aria-live": "polite" });
        this.files = make("fieldset", null, make("legend", null, "Files"),
            make("p.buttons", null, make("a.button", { href: "recording?keys=1", download: "recording.pagrec" }, "Recording with keys"), make("a.button", { href: "text?keys=1", download: "recording.txt" }, "Text with keys")),
            make("p.note", null, "What is saved at the top of the page has hashes in place of keys, so that it can be sent to others. These have the keys, where the app allows it."));
        this.all = [this.caching, this.faults, this.clock, this.recorder];
        section.append(this.reason, make("p.target", null, make("label", { for: "do-subject" }, "To"), this.subject),
            make("div.forms", null, this.all, this.files), make("h2", null, "Answers"), this.log);
        section.addEventListener("click", (event) => {
            const pressed = event.target.closest("button[data-do]");
            if (pressed) this.press(pressed.dataset.do);
        });
    }

    draw() {
        const { recording, connection } = this.app;
        const why = connection.whyNot;
        const subjects = [...recording.subjectsOf("paginator"), ...recording.subjectsOf("list")].filter((one) => !one.detached);
        setText(this.reason, why ?? (subjects.length === 0 ? "No paginator is attached." : ""));
        this.reason.hidden = this.reason.textContent === "";
        this.isSubjectGone = this.offer("subject", subjects.map((one) => [String(one.subject), `${recording.subjectName(one.subject)}${one.kind === "list" ? " (list)" : ""}`]));
        this.isPageGone = this.offer("page", [["", "All pages"], ...this.pages(Number(this.subject.value)).map((page) => [page.id, page.label])]);
        const isOff = !this.reason.hidden;
        const isFixed = recording.info.clock === "system" || recording.info.clock === undefined;
        for (const fieldset of this.all) fieldset.disabled = isOff || (fieldset === this.clock && isFixed);
        this.subject.disabled = isOff;
        this.files.hidden = connection.isFile;
        // A list can be refreshed, and no more.
        const isList = !this.isSubjectGone && recording.subjects.get(Number(this.subject.value))?.kind === "list";
        this.caching.disabled ||= this.isSubjectGone;
        this.faults.disabled ||= isList || this.isSubjectGone;
        this.page.disabled = isList;
        const isOfAll = this.page.value === "";
        for (const button of this.caching.querySelectorAll("[data-do]")) {
            const does = button.dataset.do;
            const reason = isList ? (does === "refresh" ? "" : "A list has no pages of its own in memory")
                : this.isPageGone ? "The page is no longer known; choose another"
                : does === "refresh" && isOfAll ? "Choose a page; all pages together are invalidated" : "";
            button.disabled = reason !== "";
            button.title = reason;
        }
        const forced = connection.forced.get(Number(this.subject.value));
        setText(this.forcedNote, forced ? `Forced now: ${forced}.` : "Nothing is forced now.");
        setText(this.recorderNote, connection.isRecorderPaused ? "It is paused: the app records nothing." : "While it is paused, the app records nothing.");
        for (const [does, isSo] of [["pause", true], ["resume", false]]) this.recorder.querySelector(`[data-do=${does}]`).disabled = connection.isRecorderPaused === isSo;
        setText(this.clockReason, isFixed ? "The app runs on the system's clock, which cannot be moved." : "Timers that become due on the way fire.");
    }

    choose(name) {
        const { value, selectedOptions } = this[name];
        this.chosen[name] = { value, label: selectedOptions[0]?.textContent ?? "" };
        this.app.draw();
    }

    /** Offers choices, and answers whether the one that was made is gone: it stays, so that nothing else takes its place unseen. */
    offer(name, options) {
        const chosen = this.chosen[name];
        const isGone = chosen !== null && !options.some(([value, label]) => value === chosen.value && label === chosen.label);
        // What is gone has a value of its own: its number may have been given anew.
        const all = isGone ? [["gone", `${chosen.label} (gone)`], ...options] : options;
        show(this[name], all.map(([value, label]) => make("option", { value, disabled: value === "gone" && isGone }, label)));
        const value = isGone ? "gone" : chosen?.value ?? options[0]?.[0] ?? "";
        if (this[name].value !== value) this[name].value = value;
        // The first subject is as good as chosen: another does not take its place, either.
        if (chosen === null && name === "subject" && options.length) this.chosen.subject = { value: options[0][0], label: options[0][1] };
        return isGone;
    }

    /** The pages that are known of a paginator now, whatever time is shown, without repetition. */
    pages(subject) {
        const known = new Map();
        const stateOf = (one) => this.app.recording.stateAt(one, Infinity);
        const add = (one) => {
            const page = pageOf(one?.page);
            if (page && (known.size < mostPages || page.id === this.chosen.page?.value)) known.set(page.id, page);
        };
        const state = stateOf(subject);
        [...array(state?.memory?.entries), ...array(state?.loads)].forEach(add);
        for (const list of this.app.recording.subjectsOf("list")) {
            const listState = stateOf(list.subject);
            if ((listState?.paginator ?? list.paginator) === subject) array(listState?.slots).forEach(add);
        }
        if (this.app.recording.subjects.get(subject)?.kind === "list") known.clear();
        this.known = known;
        return [...known.values()];
    }

    press(name) {
        // A state may have come since it was drawn, and the choice be gone with it.
        this.draw();
        if (this.section.querySelector(`[data-do="${name}"]`).matches(":disabled")) return this.app.say("That is no longer there");
        const subject = Number(this.subject.value);
        switch (name) {
        case "refresh": case "invalidate": case "clear": case "evict": {
            const page = this.known?.get(this.page.value);
            return this.run({ do: name, subject, ...(page ? { page: page.json } : {}) }, `${name} ${page?.label ?? "all pages"}`);
        }
        case "faults": {
            const latency = Number(this.latency.value) || 0;
            const faults = { offline: this.offline.checked, lowPower: this.lowPower.checked };
            if (this.error.value) faults.error = this.error.value;
            if (latency > 0) faults.latency = latency;
            const words = [faults.error, latency > 0 ? `${latency} ms` : null, faults.offline ? "offline" : null, faults.lowPower ? "low power" : null].filter(Boolean).join(", ");
            return this.run({ do: "faults", subject, ...faults }, `faults: ${words || "none"}`);
        }
        case "no faults":
            this.error.value = "";
            this.latency.value = "";
            this.offline.checked = this.lowPower.checked = false;
            return this.run({ do: "faults", subject, offline: false, lowPower: false }, "faults: none");
        case "clock": {
            const seconds = Number(this.advance.value);
            if (!(seconds > 0)) return this.app.say("Seconds must be more than 0");
            return this.run({ do: "clock", subject, advance: seconds }, `clock: ${seconds} s on`);
        }
        case "set clock": {
            const seconds = Number(this.moment.value);
            if (this.moment.value === "" || !(seconds >= 0)) return this.app.say("The second must be a number");
            return this.run({ do: "clock", subject, set: seconds }, `clock: to ${seconds} s`);
        }
        default: return this.run({ do: name }, `recorder: ${text(name)}`);
        }
    }

    async run(command, words) {
        const outcome = make("span.outcome", null, "…");
        const line = make("li", null, make("time", null, moment(this.app.now)), foreign(words, "span"), outcome);
        this.log.prepend(line);
        while (this.log.children.length > 100) this.log.lastChild.remove();
        const { ok, error } = await this.app.connection.send(command);
        outcome.className = ok ? "outcome good" : "outcome bad";
        outcome.textContent = ok ? "done" : error ?? "refused, without a reason";
        return ok;
    }
}
