// Switches for a bad network: the same in the settings, and beside the screens where there is room.

import { make, setText } from "./dom.js";
import { icon } from "./icons.js";
import { number, percent } from "./format.js";
import { t } from "./texts.js";

const latencies = [0, 100, 400, 1500, 5000], losses = [0, 0.05, 0.2, 0.5];
let made = 0;

export class NetworkPanel {
    constructor(app, level = "h2") {
        this.app = app;
        made += 1;
        const id = `net-${made}`;
        const send = (fields) => app.socket.send({ t: "network", ...fields });
        this.latency = make("select", { id: `${id}-latency`, onchange: () => send({ latency: Number(this.latency.value) }) }, latencies.map((ms) => make("option", { value: ms }, ms ? `${number(ms)} ms` : t("none"))));
        this.loss = make("select", { id: `${id}-loss`, onchange: () => send({ loss: Number(this.loss.value) }) }, losses.map((part) => make("option", { value: part }, part ? percent(part) : t("none"))));
        this.offline = make("input", { type: "checkbox", role: "switch", id: `${id}-offline`, onchange: () => send({ offline: this.offline.checked }) });
        this.unavailable = make("input", { type: "checkbox", role: "switch", id: `${id}-503`, onchange: () => send({ status: this.unavailable.checked ? 503 : 0 }) });
        this.backend = make("span.note");
        this.kill = make("button.small", { type: "button", onclick: () => app.socket.send({ t: "backend", up: this.state.backend === "down" }) });
        this.element = make("section.network", { "aria-labelledby": `${id}-title` },
            make(level, { id: `${id}-title` }, icon("signal"), t("network")), make("p.note", null, t("networkHint")),
            this.line(this.latency, "latency"), this.line(this.loss, "loss"), this.line(this.offline, "offlineSwitch"), this.line(this.unavailable, "unavailable"),
            make("div.setting", null, make("span", null, t("backend"), " ", this.backend), this.kill));
        this.take({});
    }

    line(control, key) { return make("div.setting", null, make("label", { for: control.id }, t(key)), control); }

    take(state) {
        this.state = state;
        choose(this.latency, state.latency ?? 0, (ms) => `${number(ms)} ms`);
        choose(this.loss, state.loss ?? 0, percent);
        this.offline.checked = Boolean(state.offline);
        this.unavailable.checked = state.status === 503;
        const isDown = state.backend === "down";
        setText(this.backend, t(isDown ? "down" : "up"));
        this.backend.classList.toggle("bad", isDown);
        setText(this.kill, t(isDown ? "start" : "kill"));
        this.kill.setAttribute("aria-label", `${t(isDown ? "start" : "kill")}: ${t("backend")}`);
    }
}

/** Chooses a value, and offers it when it is none of those that are there. */
function choose(select, value, name) {
    if (![...select.options].some((one) => Number(one.value) === value)) select.append(make("option", { value }, name(value)));
    select.value = String(value);
}

/** What is wrong with the network, in a few words; empty when it is good. */
export function networkSummary(state) {
    const parts = [];
    if (state.backend === "down") parts.push(`${t("backend")}: ${t("down")}`);
    if (state.offline) parts.push(t("offlineSwitch"));
    if (state.status === 503) parts.push("503");
    if (state.latency) parts.push(`${number(state.latency)} ms`);
    if (state.loss) parts.push(percent(state.loss));
    return parts.join(" · ");
}
