"""What the tests of the real app share: the processes of `open`, the backend as others use it, and two windows."""
import json
import os
import subprocess
import tempfile
import time
import urllib.request
import uuid

from app_tests import LIST
from tests import PageTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


class ProcessSupervisor:
    """`FeedChatExample open`: a backend and the apps of Ada and Grace."""

    def __init__(self, posts=1200):
        self.home = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([os.environ["APP"], "open", "--port", "0", "--posts", str(posts), "--folder", self.home.name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.addresses = []
        for line in self.process.stdout:
            if line.startswith("open "):
                self.addresses.append(line.split()[1])
            if len(self.addresses) == 2:
                return
        self.end()
        raise AssertionError("the app told no addresses")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.home.cleanup()

    def children(self):
        """What runs for it: each process with its memory in bytes and its arguments."""
        lines = subprocess.run(["ps", "-axo", "pid=,ppid=,rss=,args="], check=True, capture_output=True, text=True).stdout.splitlines()
        found = [line.split(None, 3) for line in lines]
        return [(int(rss) * 1024, args.split()) for _, parent, rss, args in found if int(parent) == self.process.pid]

    def argument(self, name):
        return next(args[args.index(name) + 1] for _, args in self.children() if name in args)

    def memory(self, user):
        """The memory of a user's app, in bytes."""
        return next(rss for rss, args in self.children() if "--user" in args and args[args.index("--user") + 1] == user)


class Backend:
    """A user of the backend who has no app: requests over HTTP. What it lists is the oracle."""

    def __init__(self, address, name):
        self.address, self.token = address, None
        answer = self.send("POST", "/v1/sessions", {"name": name})
        self.token, self.user = answer["token"], answer["user"]

    def send(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers, method=method), timeout=30) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def pages(self, path, key="feed"):
        """All that a paged list has, in its order."""
        mark, found = ("&" if "?" in path else "?"), []
        after = ""
        while after is not None:
            page = self.send("GET", f"{path}{mark}limit=100{'&after=' + urllib.request.quote(after, safe='') if after else ''}")
            found += page[key]
            after = page["paging"].get("next")
        return found

    def feed(self):
        return [f"p{post['postId']}" for post in self.pages("/v1/feed")]

    def post(self, content, **fields):
        return self.send("POST", "/v1/posts", {"requestId": str(uuid.uuid4()), "content": content, **fields})

    def image(self, content, caption):
        """Uploads a picture; answers it as an attachment of a post."""
        begun = self.send("POST", "/v1/uploads", {"requestId": str(uuid.uuid4()), "type": "image", "byteCount": len(content)})
        done = self.send("PATCH", f"/v1/uploads/{begun['uploadId']}?offset=0", content)
        return {"type": "image", "contentUrl": done["contentUrl"], "caption": caption}

    def say(self, to, texts):
        """Sends messages to a user; answers their ids."""
        made = []
        for at in range(0, len(texts), 100):
            batch = [{"requestId": str(uuid.uuid4()), "toUserId": str(to), "content": text, "createdAt": int(time.time() * 1000)} for text in texts[at:at + 100]]
            made += self.send("POST", "/v1/messages/batch", {"messages": batch})["messages"]
        return [f"m{one['message']['messageId']}" for one in made]


class RealTest(PageTest):
    """Each test has processes of its own. Its windows: `ada` and, where there are two, `grace`."""
    posts = 1200
    windows = 2

    def setUp(self):
        super().setUp()
        self.processes = ProcessSupervisor(self.posts)
        self.addCleanup(self.processes.end)
        self.addresses = self.processes.addresses
        self.pages = [self.window(address) for address in self.addresses[:self.windows]]
        self.ada = self.pages[0]
        for page in self.pages:
            self.wait(page, f"window.app?.router.top && {LIST}?.isFilled")

    def window(self, address):
        page = self.context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        # That the app was ended is told in the console, and is meant.
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" and "/app" not in message.text else None)
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(address)
        return page

    def tearDown(self):
        self.context.close()
        self.requests = [url for url in self.requests if not url.startswith(tuple(self.addresses))]
        super().tearDown()

    def backend(self, name="Margaret"):
        return Backend(self.processes.argument("--backend"), name)

    def wait(self, page, expression, seconds=60):
        limit = time.monotonic() + seconds
        while True:
            value = page.evaluate(expression)
            if value:
                return value
            self.assertLess(time.monotonic(), limit, f"never: {expression}")
            page.wait_for_timeout(30)

    def go(self, page, address):
        page.evaluate("(address) => { location.hash = address; }", f"#/{address}")
        self.wait(page, f"location.hash === '#/{address}' && app.router.top && (!{LIST} || {LIST}.isFilled && !{LIST}.pending)")

    def still(self, page):
        """Until scrolling has ended, and the list has come to rest."""
        self.wait(page, f"!{LIST}.pending && Math.abs({LIST}.base - {LIST}.rest) < 1 && performance.now() - {LIST}.lastScroll > 200")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def converse(self, page, name):
        """Opens the conversation with somebody."""
        self.go(page, "chats")
        row = self.wait(page, f"{LIST}.entries.find(({{ row }}) => row.name === '{name}')?.row.conversation")
        self.go(page, f"conversation/{row}")

    def ids(self, page, kind):
        return page.evaluate(f"(kind) => {LIST}.entries.filter(({{ row }}) => row.kind === kind).map(({{ id }}) => id)", kind)

    def texts(self, page):
        return page.evaluate(f"{LIST}.entries.filter(({{ row }}) => row.kind === 'message').map(({{ row }}) => typeof row.text === 'string' ? row.text : (row.text ?? []).map((run) => run.s).join(''))")

    def say(self, page, text):
        page.fill("[data-kind=conversation] textarea", text)
        page.press("[data-kind=conversation] textarea", "Enter")

    def read(self, page, text, status):
        self.wait(page, f"""{LIST}.entries.some(({{ row }}) => row.mine && row.status === '{status}' && JSON.stringify(row.text).includes('{text}'))""")
