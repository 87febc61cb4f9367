// The panel beside the views: one event, or one page, with what came before and after.

import { meaningOfEvent } from "./kinds.js";
import { stretchOf } from "./lanes.js";
import { storyOf, whyOf, whereaboutsOf } from "./why.js";
import { make, rove, show, foreign } from "./dom.js";
import { duration, moment, number } from "./format.js";

const around = 8;

export class Details {
    constructor(app, element) {
        this.app = app;
        this.element = element;
        this.content = make("div.content");
        this.title = make("h2", { tabindex: "-1" });
        element.append(make("header", null, this.title,
            make("button.icon", { type: "button", "aria-label": "Close the details", title: "Close (Escape)", onclick: () => this.close() }, "×")), this.content);
        rove(this.content, ".event");
        this.content.addEventListener("click", (event) => {
            const button = event.target.closest(".event");
            if (button) {
                app.select(Number(button.dataset.event));
                this.content.querySelector(".event[aria-current]")?.focus();
            }
        });
        this.shown = null;
    }

    showEvent(index) {
        this.shown = { event: index };
        const { recording } = this.app;
        const story = storyOf(recording, index);
        const { meaning, start, end } = stretchOf(recording, index);
        const page = recording.pageAt(recording.page[index]);
        const error = recording.errorAt(recording.error[index]);
        const count = recording.count[index];
        const facts = [
            ["Key", page ? foreign(page.key ?? page.label) : null],
            ["Scope", page?.scope ? foreign(page.scope) : null],
            ["Size", page?.size !== null && page?.size !== undefined ? number(page.size) : null],
            ["Of", foreign(recording.subjectName(recording.subject[index]))],
            ["Time", moment(recording.time[index], 1e3)],
            ["Duration", recording.duration[index] >= 0 ? duration(recording.duration[index]) : null],
            [meaning.span === "after" ? "Until" : "Since", end > start ? moment(meaning.span === "after" ? end : start, 1e3) : null],
            ["Attempt", recording.attempt[index] || null],
            ["From", recording.originName(index)],
            ["Cause", recording.causeName(index)],
            ["Error", error ? make("span.bad", null, error.code) : null],
            ["Message", error?.message ? foreign(error.message) : null],
            ["Count", count >= 0 ? number(count) : null],
            ["Detail", recording.detail[index] ? foreign(recording.detailText(index) ?? "") : null],
            ["Kind", make("code", null, recording.kindName(index))],
        ].filter(([, value]) => value !== null && value !== undefined && value !== "");
        const why = whyOf(recording, index, story);
        this.fill(meaning.label, why, facts, story.events, story.at);
    }

    /** Shows a page: its fields by name, and its events as of the time that is shown. */
    showPage(page, subject, facts) {
        this.shown = { page, subject, facts };
        const { recording, time } = this.app;
        const numberOfText = recording.pageNumber(page.id);
        const all = numberOfText ? recording.eventsOf(numberOfText) : [];
        const events = all.filter((one) => recording.time[one] <= time && (!subject || recording.subject[one] === subject || recording.subjects.get(recording.subject[one])?.kind !== "paginator"));
        const list = [["Key", foreign(page.key ?? page.label)], ["Scope", page.scope ? foreign(page.scope) : null], ["Size", page.size], ...facts];
        this.fill("Page", whereaboutsOf(recording, events, time), list.filter(([, value]) => value !== null && value !== undefined && value !== ""),
            events, events.length);
    }

    fill(title, why, facts, events, at) {
        this.title.textContent = title;
        const first = Math.max(0, at - around), last = Math.min(events.length, at + around + 1);
        const { recording } = this.app;
        const origin = recording.time[events[Math.min(at, events.length - 1)]];
        const rows = events.slice(first, last).map((index, place) => {
            const isThis = first + place === at;
            const error = recording.errorAt(recording.error[index]);
            const ago = recording.time[index] - (at < events.length ? origin : this.app.time);
            return make("li", null, make("button.event", { type: "button", "data-event": String(index), tabindex: isThis || (at >= events.length && first + place === last - 1) ? "0" : "-1",
                "aria-current": isThis ? "true" : null },
            make("span.when", null, isThis ? "this" : `${ago < 0 ? "−" : "+"}${duration(Math.abs(ago))}`),
            make("span.what", null, meaningOfEvent(recording, index).label),
            make("span.how", null, error ? make("span.bad", null, error.code) : recording.causeName(index) ?? recording.originName(index)
                ?? (recording.duration[index] >= 0 ? duration(recording.duration[index]) : ""))));
        });
        this.element.hidden = false;
        document.documentElement.classList.add("detailed");
        show(this.content,
            why ? make("p.why", null, why) : null,
            make("dl.facts", null, facts.map(([name, value]) => [make("dt", null, name), make("dd", null, typeof value === "number" ? String(value) : value)])),
            rows.length ? make("h3", null, at < events.length ? "Before and after, same page" : "Last events of the page") : null,
            first > 0 ? make("p.note", null, `${number(first)} earlier`) : null,
            rows.length ? make("ol.story", null, rows) : null,
            last < events.length ? make("p.note", null, `${number(events.length - last)} later`) : null);
        if (rows.length && !this.content.querySelector(".event[tabindex='0']")) this.content.querySelector(".event").tabIndex = 0;
    }

    /** Follows the time that is shown. */
    draw() {
        if (this.shown?.page && this.drawnAt !== this.app.time) {
            this.drawnAt = this.app.time;
            this.app.views.map.describeAgain(this.shown);
        }
    }

    focus() { this.title.focus(); }

    close() {
        const hadFocus = this.element.contains(document.activeElement);
        this.app.selected = -1;
        this.hide();
        if (hadFocus) document.querySelector("section:not([hidden]) [tabindex='0']")?.focus();
        this.app.draw();
    }

    hide() {
        this.shown = null;
        this.element.hidden = true;
        document.documentElement.classList.remove("detailed");
    }
}
