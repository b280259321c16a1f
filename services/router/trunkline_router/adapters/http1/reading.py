"""What comes on one connection, read as answers; RFC 9112. No I/O."""

import httptools

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.failing import Cut

_AROUND_BYTES = 64 * 1024
"""How much may come, give or take one read, that brings nothing of a body."""
_INTERIM = 200
_WITHOUT_BODY = frozenset({204, 304})


class Reading:
    """Reads one answer after another.

    `is_over` says that none can come after this one, `ends_with_connection` that nothing else says
    where this one ends.
    """

    __slots__ = ("_answer", "_fields", "_fruitless", "_parser", "ends_with_connection", "is_over")

    def __init__(self) -> None:
        self._answer: Answer | None = None
        self._fields: dict[bytes, bytes] = {}
        self._fruitless = 0
        self.ends_with_connection = False
        self.is_over = False
        self._parser = httptools.HttpResponseParser(self)
        # Servers that other people run write what a strict reader refuses.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )

    def expect(self, answer: Answer) -> None:
        """Have what comes from now on be this answer."""
        self._answer = answer
        self._fruitless = 0
        self.ends_with_connection = False

    def feed(self, data: bytes) -> None:
        """Take what came, which may be less or more than an answer. Raises Cut for what is none."""
        self._fruitless += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self.is_over = True
        answer = self._answer
        if answer is None or answer.complete:
            return
        if self.is_over:
            raise Cut("what came is no HTTP answer")
        if self._fruitless > _AROUND_BYTES:
            raise Cut("an answer came with more around it than is taken")

    def on_message_begin(self) -> None:
        # What comes after an answer answers nothing.
        if self._answer is None or self._answer.complete:
            self.is_over = True

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields.setdefault(name.lower(), value)

    def on_headers_complete(self) -> None:
        answer, fields, status = self._answer, self._fields, self._parser.get_status_code()
        self._fields = {}
        if self.is_over or answer is None or status < _INTERIM:
            return
        coding = fields.get(b"transfer-encoding")
        length = fields.get(b"content-length")
        if coding is not None and coding.lower() != b"chunked":
            self.is_over = True
            return
        self.ends_with_connection = (
            coding is None and length is None and status not in _WITHOUT_BODY
        )
        answer.start(status, fields, None if length is None else int(length))

    def on_body(self, piece: bytes) -> None:
        self._fruitless = 0
        if self._answer is not None and not self.is_over:
            self._answer.take(piece)

    def on_message_complete(self) -> None:
        answer = self._answer
        self._fields = {}
        if not self.is_over and answer is not None and answer.status:
            self.is_over = not self._parser.should_keep_alive()
            answer.end()
