"""A server on the loopback interface that sends prepared bytes, one reply per connection."""

import json
import socket
import threading


def http_reply(status, body=b"", **headers):
    """The bytes of a response. Underscores in header names stand for hyphens."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    all_headers = {"Content_Type": "application/json", "Content_Length": len(content), **headers}
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in all_headers.items()]
    return f"HTTP/1.1 {status} X\r\n{''.join(lines)}\r\n".encode() + content


def stream_reply(*parts):
    """An event stream that breaks off after these parts."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    return head + b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)


class ScriptedServer:
    def __init__(self, *replies):
        self.requests = []
        self._replies = list(replies)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self._listener.getsockname()[1]

    def _serve(self):
        while self._replies:
            connection, _ = self._listener.accept()
            with connection:
                request = self._read_request(connection)
                if request == "":
                    return
                self.requests.append(request)
                try:
                    connection.sendall(self._replies.pop(0))
                    # Reads until the client closes, so that no reset destroys the sent bytes.
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except OSError:
                    # The client may close the connection before it has read everything.
                    continue

    @staticmethod
    def _read_request(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return data.decode("latin-1")
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = [
            line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
        ]
        expected = int(length[0].split(b":")[1]) if length else 0
        while len(body) < expected:
            body += connection.recv(65536)
        return (head + b"\r\n\r\n" + body).decode("latin-1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The thread waits for the next connection. One without a request ends it.
        if self._thread.is_alive():
            socket.create_connection(self._listener.getsockname()).close()
        self._thread.join(10)
        self._listener.close()
