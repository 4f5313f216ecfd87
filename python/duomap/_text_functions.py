"""The applications over texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duomap import _core
from duomap._errors import UsageError
from duomap._options import Options, flag, one_of, real, settings, whole, word, words
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack


def word_count(texts: Texts, *, lower: bool = False, **options: Unpack[Options]) -> Table:
    """How often each word occurs.

    A word is a longest run of ASCII letters, digits, apostrophes and bytes from 0x80 on, so that words in UTF-8 stay
    whole. `texts`: a path (str or PathLike; of a folder all files in it; compressed files are decompressed), bytes, an
    open file, a list of them, or a dict of names and bytes. `lower` makes ASCII capital letters small.

    Columns: word, count. The order of the rows is not defined: see Table.sorted and Table.top.
    Raises InputError naming a file that cannot be read. Source: Dean & Ghemawat, OSDI 2004.
    """
    with settings(options) as how:
        columns, report = _core.word_count(open_texts(texts), flag("lower", lower), how)
    return Table(columns, Report(report))


def string_match(
    texts: Texts, patterns: str | bytes | Sequence[str | bytes], *, ignore_case: bool = False, **options: Unpack[Options]
) -> Table:
    """Every occurrence of every pattern, in the order of the input.

    Patterns are bytes (a str is UTF-8), not regular expressions, of one line; matches may overlap. `ignore_case` takes
    ASCII letters of either case for the same.

    Columns: file, offset (in bytes, from 0), line (from 1), pattern.
    Raises UsageError for an empty pattern. Source: Mars; He et al., PACT 2008, section 5.
    """
    every = [patterns] if isinstance(patterns, (str, bytes)) else patterns
    encoded = [one.encode() if isinstance(one, str) else one for one in every] if isinstance(every, Iterable) else [every]
    if not all(isinstance(one, bytes) for one in encoded):
        raise UsageError(f"patterns is {patterns!r}; give a str or bytes, or a list of them")
    with settings(options) as how:
        columns, report = _core.string_match(open_texts(texts), encoded, flag("ignore_case", ignore_case), how)
    return Table(columns, Report(report))


def inverted_index(texts: Texts, **options: Unpack[Options]) -> Table:
    """Where HTML files link to each target, sorted by the bytes of the target.

    Columns: target, file, offset (of the tag's '<' in bytes, from 0). `duomap describe invertedindex` says what a link
    is. Raises InputError naming a file that cannot be read. Source: Mars; He et al., PACT 2008, section 5.
    """
    with settings(options) as how:
        columns, report = _core.inverted_index(open_texts(texts), how)
    return Table(columns, Report(report))


def page_views(
    texts: Texts,
    *,
    unique: Literal["client+agent", "client", "none"] = "client+agent",
    status: Sequence[str] = (),
    method: Sequence[str] = (),
    query: bool = True,
    log_format: str = "",
    **options: Unpack[Options],
) -> Table:
    """The views of each page in logs of web servers; views by the same visitor count once.

    `unique` says what a visitor is. `status` ("200", "2xx") and `method` ("GET") say what counts, all if they are empty.
    query=False cuts URLs off at the first question mark. `log_format` is recognised, unless it is named or described as
    Apache's LogFormat (`duomap describe pageviewcount`). With strict=True a malformed line is an InputError that names
    it; else such lines are counted: report.as_dict()["figures"].

    Columns: page, views.
    Raises InputError naming a file that cannot be read; UsageError for a format that is none.
    Source: Mars; He et al., PACT 2008, section 5.
    """
    with settings(options) as how:
        columns, report = _core.page_views(
            open_texts(texts), word("unique", unique), words("status", status), words("method", method), flag("query", query),
            word("log_format", log_format), how,
        )
    return Table(columns, Report(report))


def text_similarity(
    texts: Texts,
    *,
    documents: Literal["files", "lines"] = "files",
    weights: Literal["counts", "tf-idf"] = "counts",
    most_words: int = 0,
    threshold: float | None = None,
    top: int = 10,
    **options: Unpack[Options],
) -> Table:
    """Which texts use nearly the same words: cosines of how often each word occurs, in small letters.

    A document is a file or a line. "tf-idf" multiplies counts by ln((1 + D) / (1 + d)) + 1 for a word in d of the D
    documents. `most_words` keeps the words of the most documents only; 0 keeps all. `threshold` and `top` are those of
    similarity(). Memory: 4 bytes for each document and each different word.

    Columns: first, second (FILE, or FILE:LINE), cosine.
    Raises InputError naming a file that cannot be read. Source: Salton & Buckley, Information Processing & Management 24, 1988.
    """
    lines = one_of("documents", documents, ("files", "lines")) == "lines"
    tf_idf = one_of("weights", weights, ("counts", "tf-idf")) == "tf-idf"
    least = None if threshold is None else real("threshold", threshold)
    with settings(options) as how:
        columns, report = _core.text_similarity(
            open_texts(texts), lines, tf_idf, whole("most_words", most_words), least,
            whole("top", top), how,
        )
    return Table(columns, Report(report))
