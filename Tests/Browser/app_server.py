"""A server that speaks as the app's client does, for the tests of its page: the page's files, pictures, and screens over
a WebSocket. What it knows is made of a seed. Its lists are the oracle: each change is made to a plain Python list first."""
import http.server
import json
import os
import socket
import threading

from app_pictures import picture
from app_world import World
from page_server import SOURCES, TEXT, PageHandler, frame


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
        self.has_pictures = True
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
            self.connection.sendall(frame(json.dumps(message).encode(), TEXT))
        except OSError:
            pass

    def end(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Handler(PageHandler):
    page = os.path.join(SOURCES, "FeedChatExample/AppPage/Page")

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/app":
            return self.talk() if not self.server.refuses else self.reply(503, b"")
        if path.startswith("/media/") and path[7:-4].isdigit():
            return self.reply(200, picture(int(path[7:-4])), "image/png") if self.server.has_pictures else self.reply(404, b"")
        self.reply_file(path)

    def talk(self):
        self.open_socket()
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
