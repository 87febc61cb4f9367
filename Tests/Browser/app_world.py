"""What the app's page is shown in the tests: people, posts and conversations of a seed, and screens that change as the
app's state holders do. Every list is a plain list of rows; `List` makes a change to it and tells the windows."""
import datetime
import random
import threading

NAMES = ["Ada Moreau", "Grace Okafor", "Tomás Rivera", "Ingrid Solberg", "Yusuf Demir", "Mei-Lin Chen", "Noor Haddad", "Piotr Kowalski", "Leila Farouk", "Jonas Weber"]
TEXTS = [
    "First frost on the ridge this morning. The path above the lake is open again, but take shoes with a grip.",
    "Finished the bridge model. Eleven evenings, two broken blades, and it holds a dictionary.",
    "Does anybody know a bakery near the harbour that still makes rye bread the old way?",
    "The library has extended its hours: open until ten on weekdays, and the reading room has new lamps.",
    "Planted the last of the garlic. See you in July.",
    "Slides from the talk on cursors and pages are up. Thanks to everybody who asked the hard questions; the one about deleted rows is answered on page 31 now.",
    "A heron, standing in the car park, as if it had paid.",
    "We walked from one valley into the next and met nobody but a dog, who came along for an hour and then remembered something.",
    "Small thing that made the day: the repair shop fixed the lamp, and wrote down what was wrong with it.",
    "Night train to the coast. Window seat, a thermos, and four hundred pages.",
    "The choir is looking for two basses and one person who can read the handwriting of our conductor.",
    "Half of the orchard is picked. There are crates at the gate, take what you can carry.",
]
ANSWERS = ["That view!", "Count me in.", "Try the one behind the fish market, they open at six.", "Which path did you take?", "I did not know this was possible.", "Lovely. Thank you for writing it down.", "Page 31 is very clear now.", "Saving this for the weekend."]
LINES = ["Are you on the early train?", "Yes, platform 4. I have the tickets.", "Bring the thermos please", "Done. And the map, though we will not need it.", "You said that the last time", "And who found the path?", "The dog did.", "Fair. Is Tomás coming?", "He is, with a cake as large as his rucksack.", "Then we walk slowly", "See you at 6:40", "I moved the meeting to Thursday, the room is ours from two to four.", "Good, I will send the notes before.", "Looks right to me. One question about the second page.", "Which one?", "Whether the order holds when a row is deleted in between."]
NOW = datetime.datetime(2026, 11, 23, 15, 0, tzinfo=datetime.timezone.utc)


def stamp(seconds_ago):
    return (NOW - datetime.timedelta(seconds=seconds_ago)).isoformat().replace("+00:00", "Z")


class List:
    """A list that windows show. The rows are the truth; operations tell how they came about."""

    def __init__(self, rows=()):
        self.rows = list(rows)
        self.shown = []             # (session, screen id)
        self.operations = []

    def insert(self, at, row):
        self.rows.insert(at, row)
        self.operations.append(["+", at, row])

    def remove(self, at):
        del self.rows[at]
        self.operations.append(["-", at])

    def move(self, at, to):
        self.rows.insert(to, self.rows.pop(at))
        self.operations.append(["m", at, to])

    def update(self, at, **fields):
        self.rows[at] = {**self.rows[at], **fields}
        self.operations.append(["=", at, self.rows[at]])

    def index(self, id):
        return next((at for at, row in enumerate(self.rows) if row["id"] == id), None)

    def flush(self):
        """Tells the windows what has changed."""
        operations, self.operations = self.operations, []
        if operations:
            for session, screen in self.shown:
                session.send({"t": "list", "id": screen, "ops": operations, "n": len(self.rows)})

    def reset(self):
        self.operations = []
        for session, screen in self.shown:
            session.send({"t": "list", "id": screen, "reset": self.rows})


class World:
    def __init__(self, seed=1, posts=3000, loaded=40, messages=600, language="en", user=0, auto=True):
        self.chance = random.Random(seed)
        self.language, self.user = language, user
        self.auto = auto            # whether lists load more when their end is near
        self.fails = set()          # what is refused, such as {"like"}
        self.network = {"latency": 0, "loss": 0, "offline": False, "status": 0, "backend": "up"}
        self.page = 20
        self.posts = [self.post(at) for at in range(posts)]
        self.history = [self.message(at, messages) for at in range(messages)]
        self.states, self.lists = {}, {}
        self.open_screens = {}
        feed = self.list(("feed",), self.posts[:loaded])
        if loaded < posts:
            feed.rows.append(self.footer("loading"))
        self.state(("feed",), title="Feed", waiting=0, freshness="Updated just now")
        self.list(("chats",), [self.chat(at) for at in range(1, 10)])
        self.state(("chats",), title="Chats", unread=5, contacts=[{"conversation": f"c{at}", "name": NAMES[at], "online": at % 2 == 0} for at in range(2, 8)])

    # What there is.

    def person(self, at):
        return {"id": f"u{at}", "name": NAMES[at % len(NAMES)], "avatar": None}

    def post(self, at):
        chance = self.chance
        text = TEXTS[at % len(TEXTS)] if at < 24 else " ".join(chance.sample(TEXTS, chance.randint(1, 3)))
        runs = [{"s": text}]
        if at % 5 == 2:
            runs += [{"s": " "}, {"s": "#outdoors", "h": "outdoors"}]
        if at % 7 == 5:
            runs += [{"s": " Notes: "}, {"s": "example.org/cursors", "a": "https://example.org/cursors"}]
        images = []
        if at % 3 == 0:
            for number in range(1 if at % 2 == 0 else chance.choice([1, 2, 3, 4])):
                images.append({"src": f"/media/{(at * 7 + number) % 60}.png", "w": 480, "h": 320, "alt": "Hills in the evening"})
        return {"id": f"p{at}", "kind": "post", "author": self.person(at * 3 + 1), "text": runs, "images": images, "likes": chance.randint(0, 300), "liked": at % 4 == 1,
                "comments": chance.randint(0, 40), "shares": chance.randint(0, 12), "shared": False, "bookmarked": at % 6 == 0, "time": stamp(240 + at * 1700)}

    def message(self, at, of):
        mine = (at // 2 + at // 7) % 2 == 0
        row = {"id": f"m{at}", "kind": "message", "author": self.person(self.user if mine else 1), "mine": mine, "text": LINES[at % len(LINES)], "time": stamp((of - at) * 140), "status": "read" if at < of - 3 else "delivered"}
        if mine:
            row["actions"] = ["edit", "deleteForAll", "deleteForMe"]
        if at % 41 == 23:
            row["media"] = {"src": f"/media/{at % 60}.png", "w": 480, "h": 320, "alt": "The path above the lake"}
        return row

    def chat(self, at):
        return {"id": f"chat{at}", "kind": "chat", "conversation": f"c{at}", "name": "Hill walkers" if at == 4 else NAMES[at], "avatar": None, "last": LINES[(at * 5 + 10) % len(LINES)], "time": stamp(60 * at * at * 9),
                "unread": {1: 2, 3: 3}.get(at, 0), "typing": at == 2, "online": at in (1, 2, 5), "group": at == 4, "draft": at == 6}

    def comment(self, post, at):
        return {"id": f"{post}-k{at}", "kind": "comment", "author": self.person(at + 4), "text": ANSWERS[at % len(ANSWERS)], "time": stamp(3600 - at * 300), "likes": at % 3, "liked": False, "replies": 2 if at == 1 else 0}

    def footer(self, state, text=None):
        return {"id": "footer", "kind": "footer", "state": state, "edge": "after", "text": text or {"loading": "Loading more", "failed": "The server cannot be reached.", "end": "That is all", "more": ""}[state]}

    # Screens.

    def list(self, key, rows=()):
        if key not in self.lists:
            self.lists[key] = List(rows)
        return self.lists[key]

    def state(self, key, **fields):
        """Changes the state of a screen and tells the windows."""
        self.states.setdefault(key, {}).update(fields)
        for (session, id), (kind, shown) in list(self.open_screens.items()):
            if shown == key:
                session.send({"t": "screen", "id": id, "kind": kind, "state": self.states[key]})

    @property
    def feed(self):
        return self.lists[("feed",)]

    def greet(self, session):
        session.send({"t": "hello", "user": {"id": f"u{self.user}", "name": NAMES[self.user]}, "version": 1, "texts": {}, "dir": "rtl" if self.language == "ar" else "ltr", "lang": self.language})
        session.send({"t": "network", **self.network})
        session.send({"t": "unread", "n": 5})

    def leave(self, session):
        for key in [key for key in self.open_screens if key[0] is session]:
            self.close(*key)

    def close(self, session, id):
        _, key = self.open_screens.pop((session, id), (None, None))
        if key in self.lists:
            self.lists[key].shown = [one for one in self.lists[key].shown if one != (session, id)]

    def open(self, session, id, kind, fields):
        key = (kind, *(str(value) for name, value in sorted(fields.items()) if name != "message"))
        if key not in self.states:
            prepare = getattr(self, f"prepare_{kind}", None)
            self.state(key)
            if prepare:
                prepare(key, **{name: value for name, value in fields.items() if name != "message"})
        if kind == "conversation" and "message" in fields:
            self.states[key]["focus"] = fields["message"]
            self.load_older(key, fields["message"])
        self.open_screens[(session, id)] = (kind, key)
        session.send({"t": "screen", "id": id, "kind": kind, "state": self.states[key]})
        if key in self.lists:
            self.lists[key].shown.append((session, id))
            session.send({"t": "list", "id": id, "reset": self.lists[key].rows})

    def prepare_post(self, key, post):
        row = next((one for one in self.posts if one["id"] == post), None)
        if row is None:
            self.list(key)
            return self.state(key, title="Post", gone=True)
        self.list(key, [{**row, "detail": True}] + [self.comment(post, at) for at in range(8)] + [self.footer("end")])
        is_own = row["author"]["name"] == NAMES[self.user]
        self.state(key, title="Post", post=post, draft="", isOwn=is_own, **({"plain": row["text"][0]["s"]} if is_own else {}))

    def prepare_profile(self, key, user=None):
        at = int(user[1:]) if user else self.user
        self.list(key, [row for row in self.posts if row["author"]["name"] == NAMES[at % len(NAMES)]][:20] + [self.footer("end")])
        self.state(key, title=NAMES[at % len(NAMES)], isOwn=user is None, profile={"id": f"u{at}", "name": NAMES[at % len(NAMES)], "avatar": None, "posts": 312, "about": "Walks, trains, and lists that keep their place."})

    def prepare_scheduled(self, key):
        self.list(key, [{**self.post(at + 4), "id": f"s{at}", "images": [], "publishAt": stamp(-86_400 * (at + 1))} for at in range(2)])
        self.state(key, title="Scheduled")

    def prepare_compose(self, key):
        self.state(key, title="New post", draft="", images=[], samples=[{"id": str(at), "alt": "Hills in the evening", "src": f"/media/{at}.png"} for at in range(6)])

    def prepare_search(self, key):
        self.list(key)
        self.state(key, title="Search", text="")

    def prepare_chatSearch(self, key, conversation=None):
        self.list(key)
        self.state(key, title="Search messages", text="")

    def prepare_conversation(self, key, conversation):
        rows = self.history[-40:]
        self.list(key, [self.older_footer()] + rows[:30] + [{"id": "unread", "kind": "separator", "text": "Today"}] + rows[30:])
        at = int(conversation[1:])
        self.state(key, conversation=conversation, name="Hill walkers" if at == 4 else NAMES[at], group=at == 4, online=True, draft="", canWrite=True, live=True)

    def prepare_group(self, key, conversation=None):
        people = [{"id": f"u{at}", "name": NAMES[at]} for at in range(10)]
        if conversation is None:
            return self.state(key, title="New group", contacts=people[1:])
        self.state(key, title="Hill walkers", name="Hill walkers", canManage=True, roles=["owner", "admin", "member"], contacts=people[6:9],
                   members=[{**people[0], "role": "owner", "me": True}] + [{**one, "role": "member"} for one in people[1:5]])

    def prepare_settings(self, key):
        self.state(key, title="Settings", language=self.language, languages=[{"id": "en", "name": "English"}, {"id": "ar", "name": "العربية"}], storage=42_000_000, flags=[{"name": "Fold long posts", "on": True, "fixed": True}, {"name": "Batches of interactions", "on": True}], lowPower=False, user={"name": NAMES[self.user]}, inspector="http://127.0.0.1:8090/")

    # What the page asks for.

    def take(self, session, message):
        kind = message["t"]
        if kind == "open":
            self.open(session, message["id"], message["kind"], message.get("with") or {})
        elif kind == "close":
            self.close(session, message["id"])
        elif kind == "again":
            shown = self.open_screens.get((session, message["id"]))
            if shown:
                session.send({"t": "list", "id": message["id"], "reset": self.lists[shown[1]].rows})
        elif kind == "network":
            self.network.update({name: value for name, value in message.items() if name != "t"})
            self.server.tell({"t": "network", **self.network})
            self.state(("feed",), offline=self.network["offline"])
        elif kind == "backend":
            self.network["backend"] = "up" if message["up"] else "down"
            self.server.tell({"t": "network", **self.network})
        elif kind == "visible":
            self.visible(session, message)
        elif kind == "do":
            shown = self.open_screens.get((session, message["id"]))
            error = None
            if shown:
                act = getattr(self, f"do_{message['what']}", None)
                error = act(shown[1], message) if act else None
            session.send({"t": "done", "n": message["n"], "error": error})

    def later(self, seconds, act):
        def run():
            with self.server.lock:
                act()
        timer = threading.Timer(seconds, run)
        timer.daemon = True
        timer.start()

    def visible(self, session, message):
        shown = self.open_screens.get((session, message["id"]))
        if not shown or not self.auto:
            return
        kind, key = shown
        if kind not in ("feed", "conversation"):
            return
        ids = [row["id"] for row in self.lists[key].rows]
        if kind == "feed" and message["last"] in ids[-14:]:
            self.load_more()
        if kind == "conversation" and message["first"] in ids[:8]:
            self.load_older(key)

    def load_more(self, count=None):
        """The feed's next page."""
        feed = self.feed
        has = sum(row["kind"] == "post" and row["id"].startswith("p") for row in feed.rows)
        end = len(feed.rows) - (feed.rows[-1]["kind"] == "footer")
        if has >= len(self.posts):
            return
        for row in self.posts[has:has + (count or self.page)]:
            feed.insert(end, row)
            end += 1
        if end - 1 >= len(self.posts) - 1 and feed.rows[-1]["kind"] == "footer":
            feed.update(len(feed.rows) - 1, state="end", text="That is all")
        feed.flush()

    def older_footer(self):
        return {"id": "older", "kind": "footer", "state": "loading", "edge": "before", "text": "Loading older messages"}

    def load_older(self, key, until=None, count=30):
        """Older messages, above those that are there."""
        shown = self.lists[key]
        begin = 1 if shown.rows and shown.rows[0]["id"] == "older" else 0
        first = next(row for row in shown.rows if row["kind"] == "message")
        at = next(at for at, row in enumerate(self.history) if row["id"] == first["id"])
        wanted = min(at, next((place for place, row in enumerate(self.history) if row["id"] == until), at)) - 20 if until else at - count
        rows = self.history[max(0, wanted):at]
        for row in reversed(rows):
            shown.insert(begin, row)
        if begin and max(0, wanted) == 0:
            shown.remove(0)
        shown.flush()

    # What is done.

    def do_like(self, key, message):
        shown = self.lists[key]
        at = shown.index(message["row"])
        if at is None:
            return "This post is not there any more."
        self.toggle(shown, at)
        if "like" in self.fails:
            def revert():
                self.toggle(shown, shown.index(message["row"]))
                self.server.tell({"t": "notice", "text": "Your like was not taken.", "kind": "error"})
            self.later(0.3, revert)
        return None

    def toggle(self, shown, at):
        row = shown.rows[at]
        shown.update(at, liked=not row["liked"], likes=row["likes"] + (-1 if row["liked"] else 1))
        shown.flush()

    def do_share(self, key, message):
        shown = self.lists[key]
        at = shown.index(message["row"])
        shown.update(at, shared=True, shares=shown.rows[at]["shares"] + 1)
        shown.flush()

    def do_bookmark(self, key, message):
        shown = self.lists[key]
        at = shown.index(message["row"])
        shown.update(at, bookmarked=not shown.rows[at]["bookmarked"])
        shown.flush()

    def do_refresh(self, key, message):
        self.state(key, refreshing=True)
        self.later(0.3, lambda: self.state(key, refreshing=False, freshness="Updated just now"))

    def do_retry(self, key, message):
        shown = self.lists.get(key)
        if shown and "row" in message and shown.rows[shown.index(message["row"])].get("parent"):
            return self.do_moreReplies(key, message)
        if shown and shown.rows and shown.rows[-1].get("state") == "failed":
            shown.update(len(shown.rows) - 1, state="loading", text="Loading more")
            shown.flush()
            self.later(0.05, self.load_more)
        self.state(key, error=None)

    def do_showNew(self, key, message):
        count = self.states[key].get("waiting", 0)
        for at in reversed(range(count)):
            self.feed.insert(0, {**self.post(at + 1), "id": f"new{len(self.feed.rows)}-{at}", "likes": 0, "time": stamp(20 + at)})
        self.feed.flush()
        self.state(key, waiting=0)

    def do_draft(self, key, message):
        self.states[key]["draft"] = message["text"]
        if key[0] == "compose":
            self.state(key, canSend=bool(message["text"]))

    def do_send(self, key, message):
        if "send" in self.fails:
            return "The server cannot be reached."
        shown = self.lists.get(key)
        self.states[key]["draft"] = ""
        if key[0] == "post":
            row = {**self.comment(key[1], len(shown.rows)), "id": f"mine{len(shown.rows)}", "author": self.person(self.user), "text": message["text"], "pending": True}
            shown.insert(len(shown.rows) - 1, row)
            shown.flush()
            self.later(0.2, lambda: (shown.update(shown.index(row["id"]), pending=False), shown.flush()))
        elif key[0] == "conversation":
            self.say(key, message["text"], mine=True)
        return None

    def say(self, key, text, mine, status="sending"):
        """A new message at the end of a conversation; answers its row's id."""
        shown = self.lists[key]
        row = {"id": f"n{len(shown.rows)}-{self.chance.random()}", "kind": "message", "author": self.person(self.user if mine else 1), "mine": mine, "text": text, "time": stamp(0), "status": status if mine else "delivered", "actions": ["edit", "deleteForAll"] if mine else []}
        shown.insert(len(shown.rows), row)
        shown.flush()
        if mine and self.auto:
            for wait, next_status in ((0.1, "sent"), (0.25, "delivered"), (0.4, "read")):
                self.later(wait, lambda status=next_status: self.mark(key, row["id"], status))
        return row["id"]

    def mark(self, key, id, status):
        shown = self.lists[key]
        shown.update(shown.index(id), status=status)
        shown.flush()

    def do_deleteForAll(self, key, message):
        shown = self.lists[key]
        shown.update(shown.index(message["row"]), deleted=True, actions=[])
        shown.flush()

    def do_edit(self, key, message):
        shown = self.lists[key]
        shown.update(shown.index(message["row"]), text=message["text"], edited=True)
        shown.flush()

    def do_type(self, key, message):
        text = message["text"].strip()
        self.states[key]["text"] = text
        shown = self.lists[key]
        if key[0] == "search":
            shown.rows = [row for row in self.posts if text and text.lower() in row["text"][0]["s"].lower()][:30]
        else:
            found = [row for row in self.history if text and text.lower() in row["text"].lower()][-30:]
            shown.rows = [{"id": f"hit-{row['id']}", "kind": "hit", "title": row["author"]["name"], "text": marked(row["text"], text), "time": row["time"],
                           "open": {"kind": "conversation", "with": {"conversation": key[1] if len(key) > 1 else "c1", "message": row["id"]}}} for row in reversed(found)]
        shown.reset()

    def do_write(self, key, message):
        self.state(key, edit=message["text"])

    def do_save(self, key, message):
        if "save" in self.fails:
            self.state(key, conflict={"theirs": "What the other device wrote."})
            return "Somebody has changed this meanwhile."
        self.show_text(key, message["text"])

    def do_keepMine(self, key, message):
        self.show_text(key, self.states[key]["edit"])

    def do_takeTheirs(self, key, message):
        self.show_text(key, self.states[key]["conflict"]["theirs"])

    def show_text(self, key, text):
        self.lists[key].update(0, text=text)
        self.lists[key].flush()
        self.state(key, edit=None, conflict=None, plain=text)

    def do_discardDraft(self, key, message):
        self.state(key, edit=None, conflict=None)

    def do_delete(self, key, message):
        self.feed.remove(self.feed.index(key[1]))
        self.feed.flush()

    def do_thread(self, key, message):
        shown = self.lists[key]
        at = shown.index(message["row"])
        is_open = not shown.rows[at].get("open")
        shown.update(at, open=is_open)
        while not is_open and at + 1 < len(shown.rows) and shown.rows[at + 1].get("parent") == message["row"]:
            shown.remove(at + 1)
        if is_open:
            self.reply_rows(shown, message["row"], at + 1, 2)
            shown.insert(at + 3, {**self.footer("more"), "id": f"t-{message['row']}", "parent": message["row"]})
        shown.flush()

    def reply_rows(self, shown, comment, at, count):
        for place in range(at, at + count):
            shown.insert(place, {**self.comment(comment, place), "id": f"{comment}-r{place}", "parent": comment})

    def do_moreReplies(self, key, message):
        shown = self.lists[key]
        at = shown.index(message["row"])
        if "replies" in self.fails:
            shown.update(at, state="failed", text="The server cannot be reached.")
        else:
            comment = shown.rows[at]["parent"]
            shown.remove(at)
            self.reply_rows(shown, comment, at, 3)
        shown.flush()

    def do_cancel(self, key, message):
        shown = self.lists[key]
        shown.remove(shown.index(message["row"]))
        shown.flush()

    def do_attach(self, key, message):
        image = next(one for one in self.states[key]["samples"] if one["id"] == message["image"])
        self.state(key, images=self.states[key]["images"] + [image], canSend=True)

    def do_detach(self, key, message):
        self.state(key, images=[one for one in self.states[key]["images"] if one["id"] != message["image"]])

    def do_schedule(self, key, message):
        self.state(key, publishAt=message["at"])

    def do_language(self, key, message):
        self.language = message["value"]
        for kind in list(self.states):
            if kind[0] not in ("feed", "chats"):
                self.states.pop(kind), self.lists.pop(kind, None)
        for session in list(self.server.sessions):
            self.greet(session)

    def do_add(self, key, message):
        state = self.states[key]
        one = next(one for one in state["contacts"] if one["id"] == message["member"])
        self.state(key, members=state["members"] + [{**one, "role": "member"}], contacts=[other for other in state["contacts"] if other is not one])


def marked(text, word):
    """The runs of a text with a word in it that was searched."""
    at = text.lower().index(word.lower())
    return [{"s": text[:at]}, {"s": text[at:at + len(word)], "b": True}, {"s": text[at + len(word):]}]
