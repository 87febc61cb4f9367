// The shortcuts of the whole app, and the list of them that the settings show.

import { make } from "./dom.js";
import { roots } from "./router.js";
import { t } from "./texts.js";

const shortcuts = [
    ["j k", "nextRow"], ["↓ ↑", "nextRow"], ["Enter", "openRow"], ["l", "likeRow"], ["Home End", "firstLast"], ["Ctrl+Home Ctrl+End", "outOfList"], ["n", "compose"], ["c", "toField"], [".", "showNew"],
    ["r", "refresh"], ["/", "toSearch"], ["1 … 5", "screens"], ["Esc", "goBack"], ["?", "thisList"],
];

export function shortcutList() {
    return make("dl.keys", null, shortcuts.flatMap(([keys, what]) => [
        make("dt", null, keys.split(" ").map((key) => key === "…" ? " … " : make("kbd", null, key))), make("dd", null, t(what))]));
}

const writes = "input:not([type=checkbox]):not([type=file]), select, textarea";

export function prepareKeys(app) {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
        const screen = app.router.top;
        if (!screen) return;
        if (event.target.matches(writes)) {
            if (event.key !== "Escape") return;
            // Out of the field, to where the keys of the screen work.
            event.preventDefault();
            event.target.blur();
            (screen.list?.current?.element ?? screen.scroller).focus({ preventScroll: true });
            return;
        }
        const isPressable = event.target.closest("button, a, summary");
        const isInRow = event.target.closest(".row");
        switch (event.key) {
        case "j": screen.step(1); break;
        case "k": screen.step(-1); break;
        case "ArrowDown": case "ArrowUp":
            if (!isInRow && !event.target.closest(".scroller")) return;
            screen.step(event.key === "ArrowDown" ? 1 : -1);
            break;
        case "Home": case "End":
            if (!screen.list?.entries.length) return;
            screen.list.focusRow(event.key === "Home" ? 0 : screen.list.entries.length - 1);
            break;
        case "Enter": if (isPressable || !screen.currentRow) return; screen.openRow(screen.currentRow); break;
        case "l": if (screen.currentRow?.kind !== "post" && screen.currentRow?.liked === undefined) return; screen.act("like", screen.currentRow); break;
        case "n": app.router.go({ kind: "compose", with: {} }); break;
        case "c": if (!screen.field) return; screen.field.focus(); break;
        case ".": if (!screen.state.waiting) return; screen.act("showNew", null); break;
        case "r": screen.refresh(); break;
        case "/": app.router.go({ kind: screen.route.kind === "chats" || screen.route.kind === "conversation" ? "chatSearch" : "search", with: {} }); app.router.top.field?.focus(); break;
        case "?": app.router.go({ kind: "settings", with: {} }); showKeys(); break;
        case "1": case "2": case "3": case "4": case "5": app.router.go({ kind: roots[Number(event.key) - 1], with: {} }); break;
        case "Escape": app.router.back(); break;
        default: return;
        }
        event.preventDefault();
    });
}

function showKeys() {
    const panel = document.getElementById("keys-panel");
    panel?.scrollIntoView({ block: "start" });
    panel?.focus({ preventScroll: true });
}
