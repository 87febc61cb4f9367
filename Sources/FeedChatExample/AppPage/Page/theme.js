// Light, dark, or as the system has it; kept in this browser.

const key = "paginator-app-theme";
export const themes = ["system", "light", "dark"];

export function storedTheme() {
    try {
        const value = localStorage.getItem(key);
        return themes.includes(value) ? value : "system";
    } catch {
        return "system";
    }
}

export function setTheme(theme) {
    try { localStorage.setItem(key, theme); } catch { /* A page without storage forgets it. */ }
    applyTheme(theme);
}

export function applyTheme(theme = storedTheme()) {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}
