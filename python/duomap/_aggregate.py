"""Groups of the rows of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from duomap import _core
from duomap._columns import Columns, aggregate_columns, columns_or_texts
from duomap._errors import UsageError
from duomap._options import Options, character, flag, one_of, settings, word
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack


def aggregate(
    tables: Texts | Columns,
    by: str | int | Sequence[str | int],
    agg: Mapping[str | int, str | Sequence[str]] | None = None,
    *,
    where: str | None = None,
    count: bool | None = None,
    types: Mapping[str | int, str] | None = None,
    input_format: Literal["auto", "delimited", "jsonl", "common", "combined", "vhost_combined", "lighttpd"] = "auto",
    delimiter: str | None = None,
    quote: str | None = '"',
    header: bool | None = None,
    quoted_lines: bool | None = None,
    comment: str | None = None,
    decimal_comma: bool = False,
    null: str | Sequence[str] = (),
    bad_rows: Literal["error", "drop"] = "error",
    **options: Unpack[Options],
) -> Table:
    """Groups rows: SELECT by, aggregates ... WHERE where GROUP BY by.

        duomap.aggregate("readings.csv", by="station", agg={"temperature": ["min", "mean", "max"]})

    `tables` is delimited text (CSV, TSV) or JSON Lines: a path, bytes, an open file, or several. Or it is columns: an object with
    __arrow_c_stream__ or __arrow_c_array__ (pyarrow, Polars, DuckDB), a dataset of pyarrow, a DataFrame of pandas, an array of
    records or with two dimensions, a path that ends in .parquet, .arrow, .arrows, .feather, .ipc or .npy, or an iterable of these,
    which is read about 64 MiB at a time. `by` and the keys of `agg` are names of columns, or numbers from 1 on. For text, `by` also
    takes functions of a column: "day(time)", "year(t)", "month(t)", "hour(t)", "lower(x)", "upper(x)", "left(x, 3)",
    "prefix(ip, 24)" and "floor(price, 0.5)". `agg` gives each column one or several of
    "count" (of its numbers), "sum", "min", "max", "mean", "distinct" (the number of different values), "mode", "median",
    "quantile(0.95)", "var" and "std" (of a sample). Text can also have "approx_distinct", with a standard error of 1.6 %, and
    "approx_quantile(0.95)", with an error of at most 1 % of the value. Text is read once for each column of the last eight. Text
    can also have the values of picked rows: "first", "last", "any" (the first one that is not missing), "argmin(price)" and
    "argmax(price)" (in the row with the smallest or the largest price, of several the first), and "argmax(price,3)" (in the
    three best rows, at most 16, as three columns). `count` adds the number of rows; by default it is there where `agg` is empty.
    `where` leaves out the rows that do not fulfil a condition, such as "price > 0 and (city = 'Rome' or city is null)":
    comparisons with constants by =, !=, <, <=, >, >=, in, between and like, joined by not, and, or and parentheses. Integers and
    decimals are added exactly.

    Text: names are those of the first line. A column's type is found in the first 64 KiB, or declared by `types`: "integer",
    "decimal(N)" with N digits behind the point, or "real". An empty field is missing. input_format="jsonl" reads a JSON object
    per line, whose columns are named by members, nested ones with dots, such as "user.id"; "auto" takes it if the first line
    begins with { and ends with }. input_format="combined" or "common" reads the log of a web server, whose columns are client,
    user, time, request, method, url, path, query, protocol, status, bytes, referer and agent; "vhost_combined" and "lighttpd" have vhost, too. quote=None takes quotes for ordinary bytes. `header` says whether the first line has names;
    None finds it out. `quoted_lines` says whether fields in quotes may go over the end of a line; None tries it if a row has an odd
    number of quotes. Lines that begin with the character `comment` do not count. With `decimal_comma` numbers are "1234,5". `null`
    has the texts that stand for a missing value, such as "NA". `duomap describe aggregate` defines the rest.

    Columns: keys are texts, bytes, dictionaries of these, whole numbers, booleans, dates, times and nulls; null is a key of its
    own. Values are whole numbers, floats, and decimals with up to 18 digits behind the point; nulls are missing, and NaN is
    the largest number. distinct and mode take texts, booleans, dates and times, too. A condition compares numbers with numbers and
    texts with texts. `types` and the options behind it are for text only. Runs on the CPU.

    Result: the columns of `by`, texts for text and of their own type for columns; count; then sum(x) and so on, in the order of
    `agg`. distinct(x), and sums, extremes, modes and picked values of integers, are int64, all others float64; a column with a
    missing value is float64 with NaN. If the values of x are texts, mode(x) and picked values have texts, and a missing one is
    empty for text and None for columns. For columns, modes of booleans, dates, times and uint64 keep their type, and a missing
    one is None. The order of the rows is not defined. report.as_dict()["figures"] has the number of rows left out by
    bad_rows="drop".
    A sum of integers beyond 64 bits makes its column float64, too.
    Raises InputError for a row that cannot be read, which names the file and the line; for a number beyond 64 bits, which names
    the row; for a stream that fails. UsageError for a column that does not exist or whose type does not fit; Error for a sum of
    more than 4,294,967,295 integers or decimals. Source: Gray et al., Data Mining and Knowledge Discovery 1, 1997.
    """
    keys = [by] if isinstance(by, (str, int)) else list(by)
    asked: list[tuple[str, str]] = []
    for name, functions in (agg or {}).items():
        for function in [functions] if isinstance(functions, str) else list(functions):
            if not isinstance(function, str):
                raise UsageError(f"agg[{name!r}] has {function!r}; give names of aggregates, such as 'mean'")
            asked.append((function, _column("agg", name)))
    if any(function == "rows" for function, _ in asked):
        raise UsageError("an aggregate is 'count', 'sum' or another name of help(duomap.aggregate), not 'rows'")
    if flag("count", not asked if count is None else count):
        asked.insert(0, ("rows", ""))
    if not asked:
        raise UsageError("there is nothing to find: agg is empty, and count is False")
    declared = [(_column("types", name), str(given)) for name, given in (types or {}).items()]
    condition = "" if where is None else word("where", where)
    if where is not None and not condition.strip():
        raise UsageError("where is empty; leave it out, or give a condition such as 'price > 0'")
    columns_of, texts = columns_or_texts(tables)
    if columns_of is not None:
        refused = {"types": types, "input_format": input_format != "auto", "delimiter": delimiter, "quote": quote != '"',
                   "header": header is not None, "quoted_lines": quoted_lines is not None, "comment": comment is not None,
                   "decimal_comma": decimal_comma, "null": bool(null), "bad_rows": bad_rows != "error"}
        return aggregate_columns(columns_of, [_column("by", one) for one in keys], asked, condition, refused, options)
    named = None if header is None else flag("header", header)
    joins = None if quoted_lines is None else flag("quoted_lines", quoted_lines)
    words = [word("null", one) for one in ([null] if isinstance(null, str) else null)]
    with settings(options) as how:
        columns, report = _core.aggregate(
            open_texts(texts), [_column("by", one) for one in keys], asked, condition, declared,
            one_of("input_format", input_format, ("auto", "delimited", "jsonl", "common", "combined", "vhost_combined", "lighttpd")), character("delimiter", delimiter) or "",
            character("quote", quote) or "", named, joins, character("comment", comment) or "", flag("decimal_comma", decimal_comma),
            words, one_of("bad_rows", bad_rows, ("error", "drop")) == "drop", how,
        )
    return Table(columns, Report(report))


def _column(argument: str, given: str | int) -> str:
    """The name or the number of a column."""
    if isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool)):
        return str(given)
    raise UsageError(f"{argument} has {given!r}; give names of columns, or numbers from 1 on")
