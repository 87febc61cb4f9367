// A menu beside the button that opened it; arrow keys choose, Escape gives the focus back.

import { make } from "./dom.js";

let open = null;

/** `items`: [{ label, isDangerous, act }]. */
export function showMenu(button, items) {
    closeMenu(false);
    const menu = make("div.popup", { role: "menu", "aria-label": button.getAttribute("aria-label") }, items.map(({ label, isDangerous, act }) =>
        make(`button${isDangerous ? ".danger" : ""}`, { type: "button", role: "menuitem", tabindex: "-1", onclick: () => { closeMenu(true); act(); } }, label)));
    menu.addEventListener("keydown", (event) => {
        const all = [...menu.children];
        const at = all.indexOf(document.activeElement);
        const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key];
        if (to !== undefined) all[to].focus();
        else if (event.key === "Escape") closeMenu(true);
        else if (event.key === "Tab") return closeMenu(true);
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    document.body.append(menu);
    const place = button.getBoundingClientRect(), size = menu.getBoundingClientRect();
    menu.style.left = `${Math.min(Math.max(8, place.right - size.width), innerWidth - size.width - 8)}px`;
    menu.style.top = `${place.bottom + size.height + 8 > innerHeight ? Math.max(8, place.top - size.height - 4) : place.bottom + 4}px`;
    button.setAttribute("aria-expanded", "true");
    open = { menu, button };
    menu.firstElementChild?.focus();
}

export function closeMenu(givesFocusBack) {
    if (!open) return;
    const { menu, button } = open;
    open = null;
    menu.remove();
    button.removeAttribute("aria-expanded");
    if (givesFocusBack) button.focus();
}

document.addEventListener("pointerdown", (event) => { if (open && !open.menu.contains(event.target)) closeMenu(false); });
addEventListener("resize", () => closeMenu(false));
