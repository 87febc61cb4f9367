// A field whose text the app keeps as a draft. What one types is never overwritten by what the app says later.

const after = 250, remembered = 30;

export class DraftField {
    /** `send(text)` tells the app, and answers whether it could. */
    constructor(element, send, changed = () => {}) {
        Object.assign(this, { element, send, changed });
        /** What both sides know. */
        this.told = "";
        this.sent = [""];
        element.addEventListener("input", () => {
            this.grow();
            changed();
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.tell(), after);
        });
    }

    get text() { return this.element.value; }

    tell() {
        clearTimeout(this.timer);
        const { text } = this;
        if (text === this.told || !this.send(text)) return;
        this.told = text;
        this.sent = [...this.sent.slice(-remembered), text];
    }

    /** What the app says. An echo of what was typed here is old; and what is typed here and not told yet is newer. */
    take(text) {
        if (text === undefined || text === null || text === this.told) return;
        const isEcho = this.sent.includes(text) && text !== "";
        const isUnsent = this.text !== this.told;
        if (isEcho || isUnsent || text === "" && this.text !== "") return;
        this.set(text);
    }

    set(text) {
        clearTimeout(this.timer);
        this.element.value = text;
        this.told = text;
        this.grow();
        this.changed();
    }

    /** A new connection knows nothing of what was typed. */
    tellAgain() {
        if (this.text === this.told && this.text === "") return;
        this.told = null;
        this.tell();
    }

    finish() { if (this.text !== this.told) this.tell(); }

    grow() {
        if (this.element.tagName !== "TEXTAREA") return;
        this.element.style.height = "auto";
        this.element.style.height = `${this.element.scrollHeight + 2}px`;
    }
}
