"""Functions over texts, compared with plain Python."""

import gzip
import io
import re
from collections import Counter
from html.parser import HTMLParser

import numpy
import pytest

import duomap
from duomap._texts import open_texts

WORD = re.compile(rb"[A-Za-z0-9'\x80-\xff]+")


def words(text):
    return {word.decode(): count for word, count in Counter(WORD.findall(text)).items()}


def test_wordcount_of_a_path(book):
    path, text = book
    assert dict(duomap.wordcount(path).rows()) == words(text)
    assert dict(duomap.wordcount(str(path)).rows()) == words(text)
    assert dict(duomap.wordcount([path], lower=True).rows()) == words(text.lower())


def test_wordcount_of_a_folder_and_of_compressed_files(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one two")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"two three"))
    assert dict(duomap.wordcount(tmp_path).rows()) == {"one": 1, "two": 2, "three": 1}


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO, lambda text: numpy.frombuffer(text, "u1")])
@pytest.mark.parametrize("size", [0, 1, 4000, 500_000])
def test_wordcount_of_memory(book, kind, size):
    text = book[1][:size]
    assert dict(duomap.wordcount(kind(text)).rows()) == words(text)


def test_wordcount_of_several_buffers_and_of_an_open_file(book):
    path, text = book
    with open(path, "rb") as file:
        assert dict(duomap.wordcount([b"first one", file]).rows()) == words(b"first one " + text)


def test_a_buffer_is_read_where_it_lies_unless_its_end_is_the_end_of_a_page():
    # Readers need 64 readable bytes after the text. Pages have 4096 bytes.
    memory = numpy.full(4 * 4096, ord("a"), "u1")
    begin = -memory.ctypes.data % 4096
    for end, in_place in [(2 * 4096 - 64, True), (2 * 4096 - 63, False), (2 * 4096, False), (2 * 4096 + 1, True)]:
        text = memory[begin : begin + end]
        assert (open_texts(text).addresses() == [text.ctypes.data]) == in_place
        assert duomap.wordcount(text).rows() == [("a" * end, 1)]


def test_stringmatch(book):
    path, text = book
    found = duomap.stringmatch(path, ["worst", b"caf\xc3\xa9"])
    expected = []
    for line, content in enumerate(text.split(b"\n"), 1):
        for pattern in (b"worst", b"caf\xc3\xa9"):
            expected += [(m.start(), line, pattern.decode()) for m in re.finditer(pattern, content)]
    begins = [0, *(m.end() for m in re.finditer(b"\n", text))]
    expected = [(str(path), begins[line - 1] + at, line, pattern) for at, line, pattern in expected]
    assert found.rows() == expected
    assert found.columns == ["file", "offset", "line", "pattern"]


def test_stringmatch_ignores_case_and_names_buffers():
    found = duomap.stringmatch({"a": b"x Whale", "b": b"WHALE"}, "whale", ignore_case=True)
    assert found.rows() == [("a", 2, 1, "whale"), ("b", 0, 1, "whale")]


def test_invertedindex():
    pages = {"a.html": b'<a href="/x">1</a><!-- <a href="/no"> -->', "b.html": b"<p><a href='/x'>2</a><A HREF=/y>"}
    expected = []

    for name, page in pages.items():

        class Links(HTMLParser):
            def handle_starttag(self, tag, attributes):
                if tag == "a":
                    expected.append((dict(attributes)["href"], name, self.getpos()[1]))

        Links().feed(page.decode())
    assert duomap.invertedindex(pages).rows() == sorted(expected)


LOG = b"""1.1.1.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a?q=1 HTTP/1.1" 200 5 "-" "agent"
1.1.1.1 - - [01/Jan/2026:00:00:01 +0000] "GET /a?q=1 HTTP/1.1" 200 5 "-" "agent"
2.2.2.2 - - [01/Jan/2026:00:00:02 +0000] "GET /a?q=2 HTTP/1.1" 404 5 "-" "agent"
2.2.2.2 - - [01/Jan/2026:00:00:03 +0000] "POST /b HTTP/1.1" 200 5 "-" "agent"
"""


def test_pageviewcount():
    assert sorted(duomap.pageviewcount(LOG).rows()) == [("/a?q=1", 1), ("/a?q=2", 1), ("/b", 1)]
    assert sorted(duomap.pageviewcount(LOG, unique="none", query=False).rows()) == [("/a", 3), ("/b", 1)]
    assert duomap.pageviewcount(LOG, status=["2xx"], method=["POST"]).rows() == [("/b", 1)]
    with pytest.raises(duomap.UsageError, match="2xx"):
        duomap.pageviewcount(LOG, status=["ok"])


def test_pageviewcount_with_lists_of_clients_and_json():
    log = b"".join(b'{"remote_addr":"192.0.2.%d, 198.51.100.9:80","request":"GET \\/a HTTP/1.1","status":200}\n' % i for i in (1, 2, 1))
    for forwarded, views in (("first", 2), ("last", 1), ("2", 1), ("-2", 2)):
        assert duomap.pageviewcount(log, forwarded=forwarded).rows() == [("/a", views)]
    assert duomap.pageviewcount(log, forwarded="last").report.as_dict()["figures"]["log_format"] == "json"
    with pytest.raises(duomap.InputError, match="--forwarded"):
        duomap.pageviewcount(log)
    with pytest.raises(duomap.UsageError, match="--forwarded"):
        duomap.pageviewcount(log, forwarded="0")


def test_pageviewcount_tells_of_malformed_lines():
    views = duomap.pageviewcount(LOG + b"what is this\n")
    assert views.report.as_dict()["figures"]["malformed_lines"] == 1
    with pytest.raises(duomap.InputError, match="line 5"):
        duomap.pageviewcount(LOG + b"what is this\n", strict=True)


def test_similarity_of_words():
    table = duomap.similarity({"a": b"red green", "b": b"red green", "c": b"blue"}, words=True, threshold=0.5)
    assert table.rows() == [("a", "b", pytest.approx(1))]
    lines = duomap.similarity({"f": b"red green\nblue\nRed Green\n"}, words=True, documents="lines", threshold=0.9)
    assert lines.rows() == [("f:1", "f:3", pytest.approx(1))]


def test_arrays_of_other_than_bytes_are_no_texts():
    for wrong in (numpy.zeros(3), numpy.zeros(2, "i4"), numpy.zeros(2, "M8[s]"), numpy.zeros(2, [("a", "u1")]),
                  memoryview(numpy.zeros(2, "i4")), numpy.zeros(2, "?")):  # fmt: skip
        with pytest.raises(duomap.UsageError, match="memory is an array of .*; give a list of bytes"):
            duomap.wordcount(wrong)
    every_other = numpy.frombuffer(b"a_b_ _c_", "u1")[::2]
    for text in (every_other, memoryview(every_other), memoryview(b"a_b_ _c_")[::2], memoryview(b"ab c").cast("c")):
        assert duomap.wordcount(text).sorted().rows() == [("ab", 1), ("c", 1)]
    with pytest.raises(duomap.UsageError, match="the name of a text is a str, not 1"):
        duomap.wordcount({1: b"a"})
