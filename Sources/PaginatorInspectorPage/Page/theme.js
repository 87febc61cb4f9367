// Light, dark, or as the system has it; and the colors of the canvases, which follow.

const key = "paginator-inspector-theme";
const order = ["system", "light", "dark"];
let palette = null;

export function prepareTheme(changed) {
    const button = document.getElementById("theme");
    let theme = stored();
    const apply = () => {
        if (theme === "system") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        const label = `Theme: ${theme === "system" ? "as the system" : theme}`;
        button.setAttribute("aria-label", label);
        button.title = label;
        palette = null;
        changed();
    };
    button.onclick = () => {
        theme = order[(order.indexOf(theme) + 1) % order.length];
        try { localStorage.setItem(key, theme); } catch { /* A page without storage forgets it. */ }
        apply();
    };
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
        matchMedia(query).addEventListener("change", () => { palette = null; changed(); });
    }
    apply();
}

function stored() {
    try {
        const value = localStorage.getItem(key);
        return order.includes(value) ? value : "system";
    } catch {
        return "system";
    }
}

/** The colors of the style sheet by name, as canvases take them. */
export function colors() {
    if (palette) return palette;
    const probe = document.getElementById("probe");
    palette = new Proxy({}, {
        get(known, name) {
            if (!Object.hasOwn(known, name)) {
                probe.style.color = `var(--${name})`;
                known[name] = getComputedStyle(probe).color;
            }
            return known[name];
        },
    });
    return palette;
}

/** Fits a canvas to its box and the screen's pixels; answers its context in CSS pixels. */
export function fitted(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(height * ratio));
    if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.direction = "ltr";
    return context;
}
