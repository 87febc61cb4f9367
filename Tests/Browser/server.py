"""A server that speaks as the inspector's does, for the tests of its page: the page's files, and recordings over a
WebSocket."""
import http.server
import json
import os
import socket
import struct
import threading

from page_server import BINARY, SOURCES, PageHandler, frame


class Server(http.server.ThreadingHTTPServer):
    """Serves one recording, or tells a live one to everybody who is connected."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.live = None        # bytes: the first message of a live connection; None refuses connections
        self.sockets = []
        self.commands = []
        self.answer = lambda command: {"id": command["id"], "ok": True, "error": None}
        self.requests = []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def send(self, chunks):
        with self.lock:
            for one in list(self.sockets):
                try:
                    one.sendall(frame(chunks, BINARY))
                except OSError:
                    # The page was closed; the others are told all the same.
                    self.sockets.remove(one)

    def drop(self):
        """Ends all connections, as an app does that ends."""
        with self.lock:
            for one in self.sockets:
                one.shutdown(socket.SHUT_RDWR)
            self.sockets.clear()


class Handler(PageHandler):
    page = os.path.join(SOURCES, "PaginatorInspectorPage/Page")

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.requests.append(self.path)
        if path == "/live":
            return self.talk() if self.server.live is not None else self.reply(404, b"")
        self.reply_file(path)

    def talk(self):
        self.open_socket()
        with self.server.lock:
            self.connection.sendall(frame(self.server.live, BINARY))
            self.server.sockets.append(self.connection)
        try:
            while (message := self.receive()) is not None:
                # Chunks of commands: a letter, a length, JSON.
                if message[:1] == b"C":
                    command = json.loads(message[5:])
                    self.server.commands.append(command)
                    answer = self.server.answer(command)
                    if answer is not None:
                        body = json.dumps(answer).encode()
                        with self.server.lock:
                            self.connection.sendall(frame(b"K" + struct.pack("<I", len(body)) + body, BINARY))
        except OSError:
            pass
