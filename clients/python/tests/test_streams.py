"""Event streams that break or are not valid."""

import contextlib
import unittest

from hansard_client import Client, HansardError
from hansard_client.server_sent_events import Message, MessageParser, MessageTooLarge
from scripted_server import ScriptedServer, http_reply, stream_reply

END = http_reply(204)


def event(number, kind="participant_left"):
    return f'id: {number}\ndata: {{"type":"{kind}","sequence":{number}}}\n\n'


class Parser(unittest.TestCase):
    def test_messages_are_the_same_however_the_text_is_cut(self):
        text = ":hello\r\nid: 7\r\nevent: a\rdata: 1\ndata:  2\u2028\n\n\r\ndata\n\nid:8\n\nretry: 5\nfoo\ndata: x\r\r"
        expected = [
            Message("7", "a", "1\n 2\u2028"),
            Message("7", "", None),
            Message("7", "", ""),
            Message("8", "", None),
            Message("8", "", "x"),
        ]
        for size in range(1, len(text) + 1):
            parser = MessageParser()
            pieces = [text[i : i + size] for i in range(0, len(text), size)]
            self.assertEqual(
                [one for piece in pieces for one in parser.feed(piece)], expected, size
            )

    def test_an_incomplete_message_is_ignored(self):
        self.assertEqual(MessageParser().feed("id: 1\ndata: x\n"), [])

    def test_a_line_or_message_without_end_is_rejected(self):
        for piece in ["x" * 100, "data: x\n" * 20, ":\n" * 80 + "data: x\n" * 20]:
            parser = MessageParser(max_length=1000)
            with self.assertRaises(MessageTooLarge):
                for _ in range(100):
                    parser.feed(piece)


class Streams(unittest.TestCase):
    def read(self, server, **options):
        client = Client(server.url, "sk_1", timeout=60)
        return list(client.meetings.events("m", options={"patience": 60, **options}))

    def refused(self, *replies):
        with ScriptedServer(*replies) as server:
            with self.assertRaises(HansardError) as caught:
                self.read(server)
            return caught.exception

    def test_a_broken_stream_resumes_after_the_last_message(self):
        half = 'id: 3\ndata: {"type":"participant_left","seq'
        replies = [
            stream_reply(event(1), event(2), half),
            http_reply(503, Retry_After=0),
            stream_reply(event(3)),
            END,
        ]
        with ScriptedServer(*replies) as server:
            self.assertEqual([one["sequence"] for one in self.read(server)], [1, 2, 3])
        resumed = [
            [line for line in text.split("\r\n") if line.startswith("Last-Event-ID")]
            for text in server.requests
        ]
        self.assertEqual(
            resumed, [[], ["Last-Event-ID: 2"], ["Last-Event-ID: 2"], ["Last-Event-ID: 3"]]
        )

    def test_partial_captions_can_be_omitted(self):
        replies = [stream_reply(event(1), event(1, "caption_partial"), event(2)), END]
        with ScriptedServer(*replies) as server:
            self.assertEqual([one["sequence"] for one in self.read(server, partials=False)], [1, 2])

    def test_chunks_and_a_byte_order_mark_are_understood(self):
        body = b"\xef\xbb\xbf" + event(1).encode()
        chunks = b"".join(b"%x\r\n%s\r\n" % (1, body[i : i + 1]) for i in range(len(body)))
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        with ScriptedServer(head + chunks + b"0\r\n\r\n", END) as server:
            self.assertEqual([one["sequence"] for one in self.read(server)], [1])

    def test_messages_that_are_not_events_raise_not_this_service(self):
        for text in [
            "data: {\n\n",
            "data: 5\n\n",
            "data: null\n\n",
            "data: NaN\n\n",
            "data: " + "[" * 100_000 + "\n\n",
        ]:
            self.assertEqual(self.refused(stream_reply(text)).code, "not_this_service", text[:20])

    def test_an_id_that_cannot_be_sent_back_raises_not_this_service(self):
        for number in ["é", "1\x00", "x" * 201, "a b"]:
            self.assertEqual(
                self.refused(stream_reply(f"id: {number}\ndata: {{}}\n\n")).code, "not_this_service"
            )

    def test_bytes_that_are_not_utf_8_do_not_stop_a_stream(self):
        bad = b'data: {"type":"x","text":"\xff\xc3"}\n\n'
        with ScriptedServer(stream_reply(bad), END) as server:
            self.assertEqual(self.read(server)[0]["text"], "\ufffd\ufffd")

    def test_a_message_without_end_is_rejected_before_it_fills_the_memory(self):
        self.assertEqual(
            self.refused(stream_reply(b"data: " + b"x" * (17 * 1024 * 1024))).code,
            "not_this_service",
        )

    def test_a_response_that_is_no_stream_or_a_redirect_is_not_retried(self):
        self.assertEqual(self.refused(http_reply(200, {})).code, "not_this_service")
        self.assertEqual(
            self.refused(http_reply(302, Location="http://127.0.0.1:9/")).code, "redirected"
        )
        gone = http_reply(404, {"error": "No", "code": "meeting_not_found"})
        self.assertEqual(self.refused(gone).code, "meeting_not_found")

    def test_a_stream_to_an_unreachable_service_raises_after_the_patience(self):
        client = Client("http://127.0.0.1:9", "sk_1")
        with self.assertRaises(HansardError) as caught:
            next(client.events.stream(options={"patience": 0.1}))
        self.assertEqual(caught.exception.code, "no_connection")

    def test_named_messages_end_with_done_and_an_error_message_is_raised(self):
        named = 'event: open\ndata: {}\n\nevent: part\ndata: "a"\n\nevent: done\ndata: {"x":1}\n\nevent: part\ndata: 2\n\n'
        with ScriptedServer(stream_reply(named)) as server:
            found = list(Client(server.url, "sk_1").ask.stream({"question": "?"}))
        self.assertEqual(
            found, [{"event": "part", "data": "a"}, {"event": "done", "data": {"x": 1}}]
        )
        failed = (
            'event: part\ndata: 1\n\nevent: error\ndata: {"code":"at_capacity","error":"Full"}\n\n'
        )
        with ScriptedServer(stream_reply(failed)) as server:
            with self.assertRaises(HansardError) as caught:
                list(Client(server.url, "sk_1").ask.stream({"question": "?"}))
            self.assertEqual((caught.exception.code, len(server.requests)), ("at_capacity", 1))

    def test_closing_the_iterator_closes_the_connection(self):
        with ScriptedServer(stream_reply(event(1), event(2))) as server:
            with contextlib.closing(Client(server.url, "sk_1").meetings.events("m")) as events:
                self.assertEqual(next(events)["sequence"], 1)
        self.assertEqual(len(server.requests), 1)


if __name__ == "__main__":
    unittest.main()
