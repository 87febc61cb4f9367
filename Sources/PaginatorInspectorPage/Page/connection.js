// Where a recording comes from: the app that serves this page, over a WebSocket, or a file.

import { readFile, readMessage, infoOf, commandChunk, checkSignature, BrokenRecording } from "./decoder.js";
import { fileOf } from "./encoder.js";
import { setText } from "./dom.js";
import { array, finite, several, text } from "./format.js";

const downloads = { save: "recording.pagrec", trace: "trace.json", text: "recording.txt" };

const $ = (id) => document.getElementById(id);

export class Connection {
    constructor(app) {
        this.app = app;
        this.socket = null;
        this.state = "none"; // none, connecting, live, lost, saved; before: the app runs anew, and the run before is shown
        this.name = "";
        this.file = null;
        this.wait = 500;
        this.nextCommand = 1;
        this.pending = new Map();
        this.ahead = -Infinity; // The app's clock less this page's, in ns, as far as the fastest message tells.
        this.hadMessage = false;
    }

    /** The faults that are forced, in words, by subject: what any browser or the app asked for. */
    get forced() {
        const known = this.state === "live" ? array(this.app.recording.info.faults) : [];
        return new Map(known.map((one) => [one?.subject, wordsOf(one)]).filter(([, words]) => words));
    }
    /** Whether the app records nothing, because somebody asked for that. */
    get isRecorderPaused() { return this.state === "live" && this.app.recording.info.paused === true; }

    /** Whether a running app is connected, and what comes from it is shown. */
    get isRunning() { return this.state === "live"; }
    /** Whether what is shown has no server: a file of this machine, or nothing. */
    get isFile() { return this.file !== null || !(this.state === "live" || this.state === "saved"); }
    /** The time of the app that it told last itself, in ns: of one that is idle, it is after the last event. */
    get told() { return finite(this.app.recording.info.now); }
    /** Why nothing can be done to what is shown; null if something can. */
    get whyNot() {
        switch (this.state) {
        case "live": return null;
        case "saved": return "This is a saved recording: what it shows is over.";
        case "before": return "The app was started anew, and the run before is shown.";
        case "lost": return "The connection to the app is lost.";
        default: return "No app is connected.";
        }
    }

    /** The app's time now, after the newest that it told. Clocks that are moved by hand stand still. */
    extrapolated(end) {
        const clock = this.app.recording.info.clock;
        if (clock !== undefined && clock !== "system") return end;
        return Math.max(end, performance.now() * 1e6 + this.ahead);
    }

    begin() {
        const drop = document.documentElement;
        drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("dropping"); });
        drop.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) drop.classList.remove("dropping"); });
        drop.addEventListener("drop", (event) => {
            event.preventDefault();
            drop.classList.remove("dropping");
            const file = event.dataTransfer?.files[0];
            if (file) this.open(file);
        });
        $("open").addEventListener("change", (event) => {
            const file = event.target.files[0];
            event.target.value = "";
            if (file) this.open(file);
        });
        for (const id of ["save", "trace", "text"]) {
            $(id).addEventListener("click", (event) => {
                if ($(id).getAttribute("aria-disabled") === "true") {
                    event.preventDefault();
                    this.app.say($(id).title);
                } else if (id === "save" && this.isCutOff) {
                    const link = $("save");
                    if (link.dataset.blob) URL.revokeObjectURL(link.href);
                    link.dataset.blob = "true";
                    link.href = URL.createObjectURL(fileOf(this.app.recording));
                }
            });
        }
        this.connect();
    }

    /** Whether there is no app any more from which what is shown could be had. */
    get isCutOff() { return this.file === null && (this.state === "lost" || this.state === "before") && !this.app.recording.isEmpty; }

    // A running app.

    connect() {
        this.become(this.hadMessage && !this.isFresh ? "lost" : "connecting");
        const address = new URL("live", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        const socket = this.socket = new WebSocket(address);
        socket.binaryType = "arraybuffer";
        let first = true;
        socket.onmessage = (event) => {
            if (socket !== this.socket || !(event.data instanceof ArrayBuffer)) return;
            const { recording } = this.app;
            // What is kept comes anew, beginning with the first message: what was here before is in it, unless it was another run.
            if (first) {
                if (this.isAnotherRun(event.data)) { this.keepRunBefore(); return; }
                recording.clear();
                recording.info = {};
            }
            try {
                readMessage(new Uint8Array(event.data), recording.sink);
            } catch (error) {
                this.app.tell(explain(error));
            }
            this.ahead = Math.max(first ? -Infinity : this.ahead, Math.max(recording.end, this.told) - performance.now() * 1e6);
            this.wait = 500;
            // What is kept comes in several messages where it is much; a server of a saved recording says that it is one.
            if (first) {
                first = false;
                this.isFresh = false;
                this.hadMessage = true;
                this.file = null;
                this.become(recording.info.saved === true ? "saved" : "live", text(recording.info.app));
                this.app.opened();
                this.fitted = this.app.view;
            } else if (this.state === "saved" && this.app.view === this.fitted) {
                this.app.fit();
                this.fitted = this.app.view;
            }
            this.become(this.state, text(recording.info.app));
            this.app.received();
        };
        socket.onclose = () => {
            if (socket !== this.socket) return;
            this.failPending("The connection was lost before the app answered.");
            if (this.state === "saved") return;
            this.become(this.hadMessage ? "lost" : "none");
            this.again();
        };
    }

    again() {
        setTimeout(() => { if (this.socket && this.state !== "saved") this.connect(); }, this.wait);
        this.wait = Math.min(this.wait * 2, 10_000);
    }

    /** Whether the first message of a connection is of another run than the one that is shown. */
    isAnotherRun(data) {
        const { info, isEmpty } = this.app.recording;
        if (!this.hadMessage || isEmpty || this.isFresh) return false;
        const { started, app } = infoOf(new Uint8Array(data));
        return started !== info.started || app !== info.app;
    }

    /** Shows the run before until somebody wants the new one. */
    keepRunBefore() {
        this.disconnect();
        this.become("before");
        this.app.tell("The app was started anew. This is the run before, which Save keeps.", { label: "Show the new run", act: () => {
            this.isFresh = true;
            this.app.tell(null);
            this.connect();
        } });
    }

    // Files.

    async open(file) {
        try {
            this.read(new Uint8Array(await file.arrayBuffer()), file, file.name);
        } catch (error) {
            this.app.tell(explain(error));
        }
    }

    read(bytes, file, name) {
        const began = performance.now();
        checkSignature(bytes);
        this.disconnect();
        const { recording } = this.app;
        recording.clear();
        recording.info = {};
        let problem;
        try {
            problem = readFile(bytes, recording.sink);
        } catch (error) {
            problem = explain(error);
        }
        this.file = file;
        this.become("saved", name || text(recording.info.app));
        this.app.tell(problem);
        this.app.opened();
        this.app.drawNow();
        this.app.openedIn = performance.now() - began;
    }

    disconnect() {
        const socket = this.socket;
        this.socket = null;
        socket?.close();
        this.failPending("Another recording was opened.");
    }

    // Commands.

    /** Sends a command; the answer is a promise of { ok, error }. */
    send(command) {
        const id = this.nextCommand++;
        this.app.recording.answers = (answer) => {
            const resolve = this.pending.get(answer.id);
            this.pending.delete(answer.id);
            resolve?.({ ok: answer.ok === true, error: typeof answer.error === "string" ? answer.error : null });
        };
        if (!this.isRunning || this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ ok: false, error: this.whyNot });
        return new Promise((resolve) => {
            this.pending.set(id, resolve);
            this.socket.send(commandChunk({ id, ...command }));
        });
    }

    failPending(error) {
        for (const resolve of this.pending.values()) resolve({ ok: false, error });
        this.pending.clear();
    }

    // What the head of the page says.

    become(state, name = this.name) {
        this.state = state;
        this.name = name;
        const { info } = this.app.recording;
        const parts = [{ none: "Nothing open", connecting: "Connecting", live: "Live", lost: "Disconnected, trying again", before: "The run before", saved: "Recording" }[state], name];
        if (info.seed !== undefined && info.seed !== null) parts.push(`seed ${text(info.seed)}`);
        else if (info.clock === "manual" || info.clock === "simulated") parts.push(`${info.clock} clock`);
        if (info.keysHashed) parts.push("keys hashed");
        if (info.lost > 0) parts.push(`${several(info.lost, "event")} lost`);
        setText($("source-text"), parts.filter(Boolean).join(" · "));
        $("source").dataset.state = state;
        const forced = [...this.forced].map(([subject, words]) => `${this.app.recording.subjectName(subject)}: ${words}`);
        const notes = [forced.length ? `Faults forced, ${forced.join("; ")}` : "", this.isRecorderPaused ? "The recorder is paused" : ""].filter(Boolean);
        $("forced").hidden = notes.length === 0;
        setText($("forced"), notes.join(" · "));
        const isServed = !this.isFile;
        this.link("save", isServed || this.isCutOff ? "recording" : null, this.file);
        if (this.isCutOff) $("save").title = "What this page has received, with the keys that it shows";
        this.link("trace", isServed ? "trace.json" : null);
        this.link("text", isServed ? "text" : null);
    }

    link(id, address, file = null) {
        const link = $(id);
        if (link.dataset.blob) URL.revokeObjectURL(link.href);
        delete link.dataset.blob;
        const href = file ? URL.createObjectURL(file) : address;
        if (file) {
            link.dataset.blob = "true";
        }
        link.download = file?.name ?? downloads[id];
        link.setAttribute("aria-disabled", String(!href));
        if (href) link.href = href; else link.removeAttribute("href");
        link.title = href ? "" : this.isCutOff ? "The app makes this, and is gone." : this.state === "saved" ? "The app makes this; a file that was dropped here has no app. Open it with scripts/inspect." : "Nothing is open.";
    }
}

/** What is forced on a paginator, as the app tells it. */
function wordsOf(faults) {
    const latency = finite(faults?.latency);
    return [text(faults?.error), latency > 0 ? `${latency} ms` : "", faults?.offline === true ? "offline" : "", faults?.lowPower === true ? "low power" : ""].filter(Boolean).join(", ");
}

function explain(error) {
    if (error instanceof BrokenRecording) return error.message;
    console.error(error);
    return `The recording cannot be read: ${error.message}`;
}
