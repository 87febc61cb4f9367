// The shortcuts of the whole page, and the list of them.

import { make } from "./dom.js";

const shortcuts = [
    ["1 … 5", "Timeline, pages, queue and timers, cache, do"],
    ["space", "Pause, or go on at the newest"],
    ["← →", "Event before, next event"],
    ["shift ← →", "State before, next state"],
    ["+ −", "Zoom in, zoom out"],
    ["0", "Show all"],
    [", .", "Move the timeline by a quarter"],
    ["z", "Zoom to the chosen event (in the timeline)"],
    ["↑ ↓", "Choose a lane (in the timeline)"],
    ["enter", "To the details (in the timeline)"],
    ["home end", "First and last time (in the strip below)"],
    ["/", "Filter pages"],
    ["o", "Open a recording"],
    ["escape", "Close the details"],
    ["?", "This list"],
];
const views = ["timeline", "map", "queue", "cache", "actions"];

export function prepareKeys(app) {
    const help = document.getElementById("help");
    document.getElementById("help-list").append(...shortcuts.flatMap(([keys, what]) => [
        make("dt", null, keys.split(" ").map((key) => key === "…" ? "…" : make("kbd", null, key))), make("dd", null, what)]));
    document.getElementById("help-open").onclick = () => help.showModal();
    help.addEventListener("click", (event) => { if (event.target === help) help.close(); });

    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
        if (event.target.matches("input:not([type=checkbox]):not([type=file]), select, textarea")) {
            if (event.key === "Escape") event.target.blur();
            return;
        }
        const isPressable = event.target.closest("button, a, label, input, summary");
        const quarter = (app.view.to - app.view.from) / 4;
        switch (event.key) {
        case "1": case "2": case "3": case "4": case "5": app.openView(views[Number(event.key) - 1]); break;
        case " ": if (isPressable) return; app.togglePause(); break;
        case "ArrowLeft": if (event.shiftKey) app.stepState(-1); else app.step(-1); break;
        case "ArrowRight": if (event.shiftKey) app.stepState(1); else app.step(1); break;
        case "+": case "=": app.zoom(1 / 1.6); break;
        case "-": app.zoom(1.6); break;
        case "0": app.fit(); break;
        case ",": app.setView(app.view.from - quarter, app.view.to - quarter); break;
        case ".": app.setView(app.view.from + quarter, app.view.to + quarter); break;
        case "/": app.openView("timeline"); requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("filter-text").focus())); break;
        case "o": document.getElementById("open").click(); break;
        case "?": help.showModal(); break;
        case "Escape": if (app.details.shown) app.details.close(); break;
        default: return;
        }
        event.preventDefault();
    });
}
