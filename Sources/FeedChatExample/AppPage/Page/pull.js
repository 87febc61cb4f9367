// Pulling a list down at its beginning refreshes it. A key and a button do the same.

import { make, setText } from "./dom.js";
import { t } from "./texts.js";

const enough = 70, resistance = 0.5;

export function preparePull(scroller, refresh) {
    const text = make("span", null, t("pull"));
    const sign = make("p.pull", { "aria-hidden": "true", hidden: true }, make("span.spinner"), text);
    scroller.before(sign);
    let from = null, distance = 0;
    scroller.addEventListener("touchstart", (event) => { from = scroller.scrollTop <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null; distance = 0; }, { passive: true });
    scroller.addEventListener("touchmove", (event) => {
        if (from === null) return;
        distance = scroller.scrollTop <= 0 ? Math.max(0, (event.touches[0].clientY - from) * resistance) : 0;
        sign.hidden = distance === 0;
        sign.style.height = `${Math.min(distance, enough * 1.4)}px`;
        setText(text, t(distance > enough ? "release" : "pull"));
    }, { passive: true });
    for (const name of ["touchend", "touchcancel"]) scroller.addEventListener(name, (event) => {
        sign.hidden = true;
        if (from !== null && distance > enough && event.type === "touchend") refresh();
        from = null;
    }, { passive: true });
}
