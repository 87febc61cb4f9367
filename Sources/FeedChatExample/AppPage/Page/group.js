// Who is in a group, and what each may do; or a new group.

import { make, setText, show } from "./dom.js";
import { icon } from "./icons.js";
import { Screen } from "./screen.js";
import { avatar } from "./richtext.js";
import { t } from "./texts.js";

export class GroupScreen extends Screen {
    static hasList = false;
    static retries = false;
    get isNew() { return !this.route.with.conversation; }
    get name() { return t(this.isNew ? "newGroup" : "group"); }

    build() {
        this.chosen = new Set();
        this.title = make("input", { type: "text", maxlength: "80", id: `name-${this.id}`, required: true, dir: "auto", autocomplete: "off" });
        this.nameForm = make("form.row-line", { onsubmit: (event) => this.submit(event) }, make("label", { for: this.title.id }, t("groupName")), this.title,
            make("button.primary", { type: "submit" }, t(this.isNew ? "create" : "rename")));
        this.members = make("ul.people-list");
        this.candidates = make("ul.people-list");
        this.candidatesHead = make("h3", null, t(this.isNew ? "members" : "add"));
        this.scroller.append(make("div.form-page", null, this.nameForm, this.isNew ? null : make("h3", null, t("members")), this.members, this.candidatesHead, this.candidates,
            this.isNew ? null : make("button.danger", { type: "button", "data-do": "leave" }, t("leave"))));
    }

    get field() { return this.title; }

    update({ name, members = [], contacts = [], roles = [], canManage }, before) {
        if (name !== undefined && name !== before.name && document.activeElement !== this.title) this.title.value = name;
        this.nameForm.hidden = !this.isNew && !canManage;
        show(this.members, members.map((one) => make("li", null, avatar(one.name, one.avatar, "small"), make("span.grow", { dir: "auto" }, one.name, one.me ? ` (${t("you")})` : ""),
            canManage && !one.me && roles.length
                ? make("select", { "aria-label": `${t("role")}: ${one.name}`, "data-member": one.id }, roles.map((role) => make("option", { value: role, selected: role === one.role }, role)))
                : make("span.note", null, one.role ?? ""),
            canManage && !one.me ? make("button.icon", { type: "button", "data-do": "remove", "data-member": one.id, "aria-label": `${t("remove")}: ${one.name}` }, icon("close")) : null)));
        const canAdd = this.isNew || canManage && contacts.length > 0;
        this.candidatesHead.hidden = !canAdd;
        show(this.candidates, canAdd ? contacts.map((one) => make("li", null, avatar(one.name, one.avatar, "small"), this.isNew
            ? make("label.grow", null, make("input", { type: "checkbox", "data-choose": one.id, checked: this.chosen.has(one.id) }), make("span", { dir: "auto" }, one.name))
            : [make("span.grow", { dir: "auto" }, one.name), make("button.small", { type: "button", "data-do": "add", "data-member": one.id, "aria-label": `${t("add")}: ${one.name}` }, t("add"))])) : []);
        setText(this.heading, this.state.title ?? (this.isNew ? this.name : name ?? this.name));
    }

    mounted() {
        this.element.addEventListener("change", ({ target }) => {
            if (target.dataset.choose) this.chosen[target.checked ? "add" : "delete"](target.dataset.choose);
            if (target.matches("select[data-member]")) this.do("role", { member: target.dataset.member, role: target.value });
        });
    }

    async act(what, row, target) {
        if (what === "add" || what === "remove") return this.do(what, { member: target.dataset.member });
        if (what === "leave") {
            if (await this.do("leave")) this.app.router.go({ kind: "chats", with: {} });
            return;
        }
        super.act(what, row, target);
    }

    async submit(event) {
        event.preventDefault();
        const name = this.title.value.trim();
        if (!name) return;
        const isDone = this.isNew ? await this.do("create", { name, members: [...this.chosen] }) : await this.do("rename", { text: name });
        if (isDone && this.isNew) this.app.router.back(this);
    }
}
