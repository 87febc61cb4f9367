"""A server that speaks as the app's client does, for the tests of its page: the page's files, pictures, and screens over
a WebSocket. What it knows is made of a seed. Its lists are the oracle: each change is made to a plain Python list first."""
import base64
import hashlib
import http.server
import json
import os
import socket
import struct
import threading

from app_pictures import picture
from app_world import World

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/FeedChatExample/AppPage/Page")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class AppServer(http.server.ThreadingHTTPServer):
    """One app, for as many windows as are open."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, world=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.world = world or World()
        self.lock = threading.RLock()
        self.sessions = []
        self.messages = []          # what the page has sent
        self.refuses = False        # whether no connection is let in
        self.world.server = self
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def sent(self, kind, **fields):
        """What the page has sent of a kind, with these fields."""
        with self.lock:
            return [one for one in self.messages if one["t"] == kind and all(one.get(key) == value for key, value in fields.items())]

    def done(self, what):
        return self.sent("do", what=what)

    def tell(self, message):
        with self.lock:
            for session in list(self.sessions):
                session.send(message)

    def drop(self):
        """Ends all connections, as an app does that ends."""
        with self.lock:
            for session in self.sessions:
                session.end()
            self.sessions.clear()

    def handle_error(self, request, client_address):
        """A window that was closed is no error."""


class Session:
    """One window."""

    def __init__(self, server, connection):
        self.server, self.connection = server, connection
        self.screens = {}

    def send(self, message):
        try:
            self.connection.sendall(frame(json.dumps(message).encode()))
        except OSError:
            pass

    def end(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/app":
            return self.talk() if not self.server.refuses else self.reply(503, b"")
        if path.startswith("/media/") and path[7:-4].isdigit():
            return self.reply(200, picture(int(path[7:-4])), "image/png")
        name = os.path.basename(path) or "index.html"
        file = os.path.join(PAGE, name)
        if not os.path.isfile(file):
            return self.reply(404, b"")
        with open(file, "rb") as content:
            self.reply(200, content.read(), TYPES[os.path.splitext(name)[1]])

    def reply(self, status, body, kind="text/plain"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def talk(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        self.wfile.flush()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server = self.server
        session = Session(server, self.connection)
        with server.lock:
            server.sessions.append(session)
            server.world.greet(session)
        try:
            while (message := self.receive()) is not None:
                message = json.loads(message)
                with server.lock:
                    server.messages.append(message)
                    server.world.take(session, message)
        except OSError:
            pass
        finally:
            with server.lock:
                if session in server.sessions:
                    server.sessions.remove(session)
                server.world.leave(session)

    def receive(self):
        """The next text of the page; None at the end."""
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return None
            code, length = head[0] & 0x0F, head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.rfile.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.rfile.read(8))[0]
            mask = self.rfile.read(4)
            body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(length)))
            if code == 8:
                return None
            if code == 1:
                return body


def frame(payload):
    """A text message as a server sends it."""
    length = len(payload)
    size = bytes([length]) if length < 126 else struct.pack(">BH", 126, length) if length < 65536 else struct.pack(">BQ", 127, length)
    return b"\x81" + size + payload
