// Settings: the network's switches, how it looks, language, what is stored, and the keys.

import { make, setHidden, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { NetworkPanel } from "./network.js";
import { shortcutList } from "./keys.js";
import { setTheme, storedTheme, themes } from "./theme.js";
import { size } from "./format.js";
import { t } from "./texts.js";

export class SettingsScreen extends Screen {
    static hasList = false;

    build() {
        this.network = new NetworkPanel(this.app, "h3");
        this.theme = make("select", { id: "theme", onchange: () => setTheme(this.theme.value) }, themes.map((one) => make("option", { value: one }, t(one))));
        this.theme.value = storedTheme();
        this.language = make("select", { id: "language", onchange: () => this.do("language", { value: this.language.value }) });
        this.languageLine = make("div.setting", { hidden: true }, make("label", { for: "language" }, t("language")), this.language);
        this.storage = make("section", { hidden: true });
        this.flags = make("section", { hidden: true });
        this.account = make("section", { hidden: true });
        this.scroller.append(make("div.form-page", null,
            make("div.panel", null, this.network.element),
            make("section.panel", { "aria-labelledby": "looks" }, make("h3", { id: "looks" }, icon("settings"), t("appearance")), make("div.setting", null, make("label", { for: "theme" }, t("theme")), this.theme), this.languageLine),
            this.storage, this.flags, this.account,
            make("section.panel", { "aria-labelledby": "keys", id: "keys-panel", tabindex: "-1" }, make("h3", { id: "keys" }, t("keyboard")), shortcutList())));
        this.element.addEventListener("change", ({ target }) => {
            if (target.dataset.flag) this.do("flag", { name: target.dataset.flag, on: target.checked });
            if (target.dataset.lowPower) this.do("lowPower", { on: target.checked });
        });
        this.network.take(this.app.network);
    }

    update({ language, languages = [], storage, flags = [], user, inspector, inspectorText, lowPower, signedOut }) {
        show(this.language, languages.map((one) => make("option", { value: one.id, lang: one.id }, one.name)));
        if (language) this.language.value = language;
        setHidden(this.languageLine, !languages.length);
        this.storage.className = this.flags.className = this.account.className = "panel";
        setHidden(this.storage, storage === undefined && !inspector && !inspectorText);
        show(this.storage, make("h3", null, t("storage")), storage === undefined ? null : make("p.note", null, t("stored", size(storage))), inspectorText && !inspector ? make("p.note", null, inspectorText) : null,
            make("div.row-line", null, storage === undefined ? null : make("button", { type: "button", "data-do": "clear" }, t("clearStorage")),
                inspector ? make("a.button", { href: localAddress(inspector), target: "_blank", rel: "noopener" }, t("inspector")) : null));
        setHidden(this.flags, !flags.length);
        show(this.flags, make("h3", null, t("flags")), flags.map((one, at) => one.fixed
            ? make("div.setting", null, make("span", null, one.name), make("span.note", null, t(one.on ? "on" : "off")))
            : this.toggle(`flag-${at}`, one.name, { "data-flag": one.name, "data-on": one.on ? "yes" : "no" })));
        setHidden(this.account, !user);
        show(this.account, make("h3", null, user?.name ?? ""), lowPower === undefined ? null : this.toggle("low-power", t("lowPower"), { "data-low-power": "yes", "data-on": lowPower ? "yes" : "no" }),
            make("p.note", null, t("killHint")),
            make("div.row-line", null, make("button", { type: "button", "data-do": "kill" }, t("killApp")),
                signedOut ? make("button.primary", { type: "button", "data-do": "signIn" }, t("signIn")) : make("button.danger", { type: "button", "data-do": "signOut" }, t("signOut"))));
        for (const input of this.scroller.querySelectorAll("input[data-on]")) input.checked = input.dataset.on === "yes";
    }

    toggle(id, name, attributes) {
        return make("div.setting", null, make("label", { for: id }, name), make("input", { type: "checkbox", role: "switch", id, ...attributes }));
    }
}

/** The inspector runs on this machine: no other address is linked. */
function localAddress(address) {
    try {
        const url = new URL(address, location.href);
        return ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) && url.protocol === "http:" ? url.href : null;
    } catch {
        return null;
    }
}
