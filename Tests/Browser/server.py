"""A server that speaks as the inspector's does, for the tests of its page: the page's files, and recordings over a
WebSocket. Only what a browser needs of RFC 6455 is here."""
import base64
import hashlib
import http.server
import json
import os
import socket
import struct
import threading

PAGE = os.path.join(os.path.dirname(__file__), "../../Sources/PaginatorInspectorPage/Page")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


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
            for one in self.sockets:
                one.sendall(frame(chunks))

    def drop(self):
        """Ends all connections, as an app does that ends."""
        with self.lock:
            for one in self.sockets:
                one.shutdown(socket.SHUT_RDWR)
            self.sockets.clear()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.requests.append(self.path)
        if path == "/live":
            return self.talk() if self.server.live is not None else self.reply(404, b"")
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
        with self.server.lock:
            self.connection.sendall(frame(self.server.live))
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
                            self.connection.sendall(frame(b"K" + struct.pack("<I", len(body)) + body))
        except OSError:
            pass

    def receive(self):
        """The next message of a client; None at the end."""
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] & 0x0F == 8:
            return None
        length = head[1] & 0x7F
        if length == 126:
            length = struct.unpack(">H", self.rfile.read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.rfile.read(8))[0]
        mask = self.rfile.read(4)
        body = self.rfile.read(length)
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))


def frame(payload):
    """A binary message as a server sends it."""
    length = len(payload)
    size = bytes([length]) if length < 126 else struct.pack(">BH", 126, length) if length < 65536 else struct.pack(">BQ", 127, length)
    return b"\x82" + size + payload
