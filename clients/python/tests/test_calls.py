"""Calls against servers that answer in unusual ways."""

import unittest

from hansard_client import Client, HansardError
from scripted_server import ScriptedServer, http_reply

TOKEN = http_reply(200, {"token": {"name": "x"}})


def client_of(server, **options):
    return Client(server.url, "sk_1", **{"retries": 0, "timeout": 60, **options})


class Calls(unittest.TestCase):
    def error_of(self, call):
        with self.assertRaises(HansardError) as caught:
            call()
        return caught.exception

    def refused(self, reply, **options):
        with ScriptedServer(reply) as server:
            return self.error_of(client_of(server, **options).token.get)

    def test_a_redirect_is_not_followed_and_the_key_is_not_sent_elsewhere(self):
        with ScriptedServer(TOKEN) as other:
            with ScriptedServer(http_reply(307, Location=f"{other.url}/api/v1/token")) as server:
                error = self.error_of(client_of(server).token.get)
            self.assertEqual((error.code, error.status), ("redirected", 307))
            self.assertEqual(other.requests, [])

    def test_an_error_response_has_code_message_details_and_request_id(self):
        body = {
            "error": "No",
            "code": "invalid_request",
            "details": [{"path": "url", "message": "bad"}],
            "hint": "Look",
        }
        error = self.refused(http_reply(400, body, X_Request_Id="req_1", Retry_After="7"))
        self.assertEqual((error.code, error.message, error.status), ("invalid_request", "No", 400))
        self.assertEqual((error.details, error.hint), (body["details"], "Look"))
        self.assertEqual((error.request_id, error.retry_after), ("req_1", 7.0))

    def test_an_error_response_of_another_form_raises_not_this_service(self):
        bodies = [
            b"<h1>Bad gateway</h1>",
            b"",
            b"[]",
            b"null",
            b'{"error":1,"code":2}',
            b"\xff\xfe",
            b"[" * 100_000,
        ]
        for body in bodies:
            error = self.refused(http_reply(502, body))
            self.assertEqual((error.code, error.status), ("not_this_service", 502), body[:20])
        odd = self.refused(http_reply(400, {"error": "No", "code": "x", "details": "y", "hint": 5}))
        self.assertEqual((odd.code, odd.details, odd.hint), ("x", [], None))

    def test_a_successful_response_that_is_not_json_raises_not_this_service(self):
        for body in [b"<html>", b'{"a": NaN}', b"[" * 100_000]:
            self.assertEqual(
                self.refused(http_reply(200, body)).code, "not_this_service", body[:20]
            )

    def test_bytes_that_are_not_http_raise_no_connection(self):
        replies = [
            b"",
            b"SSH-2.0-x\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 70_000,
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        ]
        for reply in replies:
            error = self.refused(reply)
            self.assertEqual((error.code, error.status), ("no_connection", 0), reply[:60])

    def test_a_retry_after_that_is_no_number_or_date_is_ignored(self):
        for text in ["soon", "-1", "9" * 5000, "Thu, 99 Foo 2026 00:00:00 GMT", "1.5"]:
            self.assertIsNone(self.refused(http_reply(503, Retry_After=text)).retry_after, text)
        past = self.refused(http_reply(503, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT"))
        self.assertEqual(past.retry_after, 0.0)

    def test_a_response_that_never_ends_raises_timeout(self):
        import socket
        import threading

        stop = threading.Event()
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def trickle():
                connection, _ = listener.accept()
                with connection:
                    try:
                        while not stop.wait(0.01):
                            connection.sendall(b"H")
                    except OSError:
                        # The client closed the connection.
                        return

            thread = threading.Thread(target=trickle, daemon=True)
            thread.start()
            url = "http://127.0.0.1:%d" % listener.getsockname()[1]
            error = self.error_of(Client(url, "sk_1", retries=0, timeout=0.2).token.get)
            stop.set()
            thread.join(10)
        self.assertEqual(error.code, "timeout")

    def test_a_read_is_retried_after_transient_errors(self):
        with ScriptedServer(b"", http_reply(502, Retry_After=0), TOKEN) as server:
            answer = client_of(server, retries=4).token.get()
            self.assertEqual((answer["token"]["name"], len(server.requests)), ("x", 3))

    def test_all_attempts_of_a_call_have_the_same_idempotency_key(self):
        with ScriptedServer(
            http_reply(500, Retry_After=0), http_reply(201, {"meetingId": "m"})
        ) as server:
            client_of(server, retries=1).meetings.start(
                {"url": "practice://x", "callbackUrl": "listen:a"}
            )
            keys = [
                [line for line in text.split("\r\n") if line.startswith("Idempotency-Key: ")]
                for text in server.requests
            ]
        self.assertEqual(keys[0], keys[1])
        self.assertRegex(keys[0][0], r": [0-9a-f]{32}$")

    def test_a_call_without_a_key_is_retried_only_when_it_was_not_processed(self):
        busy = http_reply(429, {"error": "Wait", "code": "too_many_requests"}, Retry_After=0)
        replayed = http_reply(202, {"replayId": "r"})
        with ScriptedServer(busy, replayed) as server:
            self.assertEqual(client_of(server, retries=1).meetings.replay("m", {})["replayId"], "r")
        with ScriptedServer(b"", replayed) as server:
            error = self.error_of(lambda: client_of(server, retries=4).meetings.replay("m", {}))
            self.assertEqual((error.code, len(server.requests)), ("no_connection", 1))

    def test_a_wait_above_the_maximum_raises_the_error(self):
        busy = http_reply(429, {"error": "Wait", "code": "too_many_requests"}, Retry_After=3600)
        with ScriptedServer(busy) as server:
            error = self.error_of(client_of(server, retries=4).token.get)
        self.assertEqual(error.retry_after, 3600.0)

    def test_texts_that_would_change_the_request_are_rejected_before_it_is_sent(self):
        for key in ["", "sk_1\r\nX-Other: 1", "sk_1\n", "sk 1", "sk_é", None]:
            with self.assertRaises(ValueError):
                Client("http://127.0.0.1:9", key)
        urls = [
            "ftp://a",
            "http://",
            "http://u:p@a",
            "http://a\r\nb",
            "http://a b",
            "http://a:x",
            "a.example",
            None,
        ]
        for url in urls:
            with self.assertRaises(ValueError, msg=str(url)):
                Client(url, "sk_1")
        client = Client("http://127.0.0.1:9", "sk_1", retries=0)
        for name in ["", ".", ".."]:
            with self.assertRaises(ValueError):
                client.meetings.get(name)
        for path in ["../x", "a//b", "./a", "a/.."]:
            with self.assertRaises(ValueError):
                client.projects.document("handbook", path)
        with self.assertRaises(TypeError):
            client.meetings.get(None)

    def test_headers_with_line_breaks_are_not_sent(self):
        with ScriptedServer(TOKEN) as server:
            client = client_of(server)
            for headers in [{"X-A": "1\r\nX-B: 2"}, {"X-A\r\nX-B": "1"}, {"X-A": "1\nX-B: 2"}]:
                with self.assertRaises(ValueError):
                    client.token.get(options={"headers": headers})
            with self.assertRaises(ValueError):
                client.tasks.run("t", options={"idempotency_key": "a\r\nb: c"})
        self.assertNotIn("X-B", "".join(server.requests))

    def test_paths_and_queries_are_encoded(self):
        with ScriptedServer(
            http_reply(200, b"text", Content_Type="text/plain"), http_reply(200, {})
        ) as server:
            client = Client(f"{server.url}/base/", "sk_1", retries=0)
            client.projects.document("a b?", "how to/Grüße & 100%.md")
            client.meetings.list(q="x&y=z\r\n", begun=True, limit=5)
            first, second = [text.split("\r\n")[0] for text in server.requests]
        self.assertEqual(
            first,
            "GET /base/api/v1/projects/a%20b%3F/documents/how%20to/Gr%C3%BC%C3%9Fe%20%26%20100%25.md HTTP/1.1",
        )
        self.assertEqual(
            second, "GET /base/api/v1/meetings?begun=true&q=x%26y%3Dz%0D%0A&limit=5 HTTP/1.1"
        )

    def test_all_pages_of_a_list_are_read(self):
        pages = [
            {"projects": [{"id": "a"}, {"id": "b"}], "nextCursor": "c&1"},
            {"projects": [{"id": "c"}], "nextCursor": None},
        ]
        with ScriptedServer(*[http_reply(200, page) for page in pages]) as server:
            found = [project["id"] for project in client_of(server).projects.list_all(limit=2)]
            self.assertEqual(found, ["a", "b", "c"])
            self.assertIn("limit=2&cursor=c%261", server.requests[1])

    def test_the_key_is_not_in_the_text_of_a_client_or_an_error(self):
        client = Client("http://127.0.0.1:9", "sk_secret", retries=0)
        error = self.error_of(client.token.get)
        self.assertNotIn("sk_secret", repr(client) + repr(vars(client)) + repr(error))


if __name__ == "__main__":
    unittest.main()
