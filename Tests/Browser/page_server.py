"""What the servers of the pages' tests share: the files of a page, and what a browser needs of RFC 6455."""
import base64
import hashlib
import http.server
import os
import struct

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
TEXT, BINARY, CLOSE = 1, 2, 8


class PageHandler(http.server.BaseHTTPRequestHandler):
    """Answers a request of a page, whose files are in `page`."""
    protocol_version = "HTTP/1.1"
    page = None

    def log_message(self, *_):
        pass

    def reply_file(self, path):
        name = os.path.basename(path) or "index.html"
        file = os.path.join(self.page, name)
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

    def open_socket(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        self.wfile.flush()

    def receive(self):
        """The next message of the page; None at the end."""
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
            if code == CLOSE:
                return None
            if code in (TEXT, BINARY):
                return body


def frame(payload, code):
    """A message as a server sends it."""
    length = len(payload)
    size = bytes([length]) if length < 126 else struct.pack(">BH", 126, length) if length < 65536 else struct.pack(">BQ", 127, length)
    return bytes([0x80 | code]) + size + payload
