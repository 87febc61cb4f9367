// The connection to the app: one WebSocket, begun again when it ends. What is done while there is none is not kept: the
// caller is told, so that nothing is ever done twice.

const firstWait = 250, longestWait = 4000;

export class Socket {
    /** `handlers`: message(object), opened(), lost(). */
    constructor(address, handlers) {
        this.address = address;
        this.handlers = handlers;
        this.waits = firstWait;
        this.socket = null;
        this.isOpen = false;
        this.waiting = new Map();
        this.number = 0;
        this.connect();
        addEventListener("online", () => this.retryNow());
        document.addEventListener("visibilitychange", () => { if (!document.hidden) this.retryNow(); });
    }

    connect() {
        clearTimeout(this.timer);
        this.timer = null;
        const socket = new WebSocket(this.address);
        this.socket = socket;
        socket.onmessage = ({ data }) => {
            if (this.socket !== socket || typeof data !== "string") return;
            const message = JSON.parse(data);
            if (message.t === "done") this.settle(message);
            else {
                // The app has said who it is: only now is the connection one.
                if (message.t === "hello" && !this.isOpen) {
                    this.isOpen = true;
                    this.waits = firstWait;
                }
                this.handlers.message(message);
            }
        };
        socket.onclose = () => {
            if (this.socket !== socket) return;
            this.socket = null;
            const wasOpen = this.isOpen;
            this.isOpen = false;
            for (const settle of this.waiting.values()) settle({ lost: true });
            this.waiting.clear();
            this.handlers.lost(wasOpen);
            this.timer = setTimeout(() => this.connect(), this.waits);
            this.waits = Math.min(this.waits * 2, longestWait);
        };
    }

    retryNow() {
        if (this.timer) this.connect();
    }

    /** Whether it was sent. */
    send(message) {
        if (!this.isOpen || this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    /** Does something in the app; answers { error } or { lost: true } when nobody can tell whether it was done. */
    do(fields) {
        this.number += 1;
        const n = this.number;
        if (!this.send({ t: "do", n, ...fields })) return Promise.resolve({ lost: true });
        return new Promise((resolve) => this.waiting.set(n, resolve));
    }

    settle({ n, error }) {
        this.waiting.get(n)?.({ error: error ?? null });
        this.waiting.delete(n);
    }
}
