"""The applications over texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duomap import _core
from duomap._errors import UsageError
from duomap._options import Options, flag, settings, word, words
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack


def wordcount(texts: Texts, *, lower: bool = False, **options: Unpack[Options]) -> Table:
    """Counts how often each word occurs.

    A word is a longest run of ASCII letters, digits, apostrophes and bytes from 0x80 on, so that words in UTF-8 stay
    whole. `texts` is a path (str or PathLike), bytes, an open file, a list of these, or a dict of names and bytes. The
    path of a folder stands for all files in it; compressed files are decompressed. `lower` turns ASCII capital letters
    into small ones.

    Columns: word, count. The order of the rows is not defined: see Table.sorted and Table.top.
    Raises InputError, which names a file that cannot be read. Source: Dean & Ghemawat, OSDI 2004.
    """
    with settings(options) as how:
        columns, report = _core.wordcount(open_texts(texts), flag("lower", lower), how)
    return Table(columns, Report(report))


def stringmatch(
    texts: Texts, patterns: str | bytes | Sequence[str | bytes], *, ignore_case: bool = False, **options: Unpack[Options]
) -> Table:
    """Finds every occurrence of every pattern, in the order of the input.

    A pattern is bytes (a str is encoded as UTF-8) without line ends, not a regular expression. Matches may overlap.
    `ignore_case` ignores the case of ASCII letters.

    Columns: file, offset (in bytes, from 0), line (from 1), pattern.
    Raises UsageError for an empty pattern. Source: Mars; He et al., PACT 2008, section 5.
    """
    every = [patterns] if isinstance(patterns, (str, bytes)) else patterns
    encoded = [one.encode() if isinstance(one, str) else one for one in every] if isinstance(every, Iterable) else [every]
    if not all(isinstance(one, bytes) for one in encoded):
        raise UsageError(f"patterns is {patterns!r}; give a str or bytes, or a list of them")
    with settings(options) as how:
        columns, report = _core.stringmatch(open_texts(texts), encoded, flag("ignore_case", ignore_case), how)
    return Table(columns, Report(report))


def invertedindex(texts: Texts, **options: Unpack[Options]) -> Table:
    """Finds all links in HTML files, sorted by the bytes of their targets.

    Columns: target, file, offset (of the tag's '<' in bytes, from 0). `duomap describe invertedindex` defines a link.
    Raises InputError, which names a file that cannot be read. Source: Mars; He et al., PACT 2008, section 5.
    """
    with settings(options) as how:
        columns, report = _core.invertedindex(open_texts(texts), how)
    return Table(columns, Report(report))


def pageviewcount(
    texts: Texts,
    *,
    unique: Literal["client+agent", "client", "none"] = "client+agent",
    status: Sequence[str] = (),
    method: Sequence[str] = (),
    query: bool = True,
    log_format: str = "",
    forwarded: str = "",
    **options: Unpack[Options],
) -> Table:
    """Counts the views of each page in logs of web servers. Several views of a page by one visitor count once.

    `unique` chooses how visitors are told apart; "none" counts every view. `status` (such as "200" or "2xx") and `method`
    (such as "GET") choose the requests that count; an empty list chooses all. query=False cuts URLs off at the first
    question mark. `log_format` is the name of a format, or a description as in Apache's LogFormat; if it is empty, the
    format is recognised (`duomap describe pageviewcount`). `forwarded` chooses the address of X-Forwarded-For that is the
    client: "first", "last", "2" or "-2"; without it a list of addresses is no client. With strict=True a malformed line
    raises an InputError that names it; otherwise report.as_dict()["figures"] has the number of such lines.

    Columns: page, views.
    Raises InputError, which names a file that cannot be read; UsageError for an invalid format.
    Source: Mars; He et al., PACT 2008, section 5.
    """
    with settings(options) as how:
        columns, report = _core.pageviewcount(
            open_texts(texts), word("unique", unique), words("status", status), words("method", method), flag("query", query),
            word("log_format", log_format), word("forwarded", forwarded), how,
        )
    return Table(columns, Report(report))
