"""Table and Report: the result of a run, and the description of the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from duomap import _core
from duomap._errors import UsageError
from duomap._meanings import rows_with, values_with
from duomap._options import flag, whole

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class _StoredReport(NamedTuple):
    """The texts of a report, without the run. A pickled report is one of these."""

    of_json: str
    of_lines: list[str]
    of_html: bytes

    def json(self) -> str:
        return self.of_json

    def lines(self) -> list[str]:
        return self.of_lines

    def html(self) -> bytes:
        return self.of_html


class Report:
    """The report of a run. A pickle keeps the texts that the report had when it was pickled."""

    def __init__(self, core: _core.Report | _StoredReport) -> None:
        self._core = core

    def __reduce__(self) -> tuple[type[Report], tuple[_StoredReport]]:
        core = self._core
        return Report, (_StoredReport(core.json(), core.lines(), core.html()),)

    def as_dict(self) -> dict[str, Any]:
        """The fields of `duomap run --json` (docs/reference/report.md). The memory figures are those of this moment."""
        import json

        fields: dict[str, Any] = json.loads(self._core.json())
        return fields

    def explain(self) -> str:
        """The lines of `duomap run --explain`: the work of each device, and the reason why no device did more."""
        return "\n".join(self._core.lines())

    def to_html(self) -> str:
        """The page of `duomap run --report`: the run in pictures, in one file that needs no network.

        The page has a timeline if the run had the option timeline=True.
        """
        return self._core.html().decode("utf-8", "replace")

    def _repr_html_(self) -> str:
        # In a frame, the page's scripts and styles cannot mix with the notebook's.
        import html

        return ('<iframe title="duomap: report of a run" sandbox="allow-scripts" width="100%" height="700" '
                f'style="border: 1px solid #8888" srcdoc="{html.escape(self.to_html())}"></iframe>')

    def __repr__(self) -> str:
        return "\n".join(self._core.lines()[:2])


class Table:
    """The rows of a result. A column of numbers is a NumPy array, a column of texts is a list of str.

    Keys of aggregate() may also be booleans, dates and times, as in their table, and may be missing. A column with missing keys
    is a list with None, and a column of dates or times is an array with NaT; the cells of rows are None.

    pyarrow.table(t), polars.DataFrame(t) and pandas.DataFrame.from_arrow(t) share the table's memory. In them a column of
    texts is binary if one of its texts is not UTF-8. In a str, bytes that are not UTF-8 become lone surrogates, as with
    os.fsdecode. A table pickles with its report.
    """

    def __init__(self, core: _core.Columns, report: Report) -> None:
        self._core = core
        self.report = report  #: the report of the run

    def __reduce__(self) -> tuple[object, tuple[object, Report]]:
        return _table_of_state, (_core.columns_state(self._core), self.report)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._core.names()

    def __len__(self) -> int:
        return len(self._core)

    def rows(self) -> list[tuple[Any, ...]]:
        """All rows."""
        return self._rows(0, len(self))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for first in range(0, len(self), 1024):
            yield from self._rows(first, 1024)

    def __getitem__(self, column: str) -> Any:
        """A column: a read-only array over the table's own memory, or a list of str."""
        index = self._index(column)
        return values_with(self._core.meanings()[index], self._core.values(index))

    def sorted(self, by: str | None = None, *, descending: bool = False) -> Table:
        """The rows sorted by a column, by default the first. Rows that tie are sorted by the other columns, ascending."""
        index = 0 if by is None else self._index(by)
        return Table(self._core.ordered(index, flag("descending", descending), len(self)), self.report)

    def top(self, count: int, by: str | None = None) -> Table:
        """The `count` rows with the largest values in a column, by default the last, largest first."""
        index = len(self.columns) - 1 if by is None else self._index(by)
        return Table(self._core.ordered(index, True, min(whole("count", count), len(self))), self.report)

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """The columns as arrays. A column of texts is an array of objects."""
        import numpy

        return {name: _as_array(self[name], numpy) for name in self.columns}

    def explain(self) -> str:
        """The same as report.explain()."""
        return self.report.explain()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """One record batch over the table's own memory."""
        return self._core.arrow_stream()

    def __repr__(self) -> str:
        shown = [self.columns, *([str(cell) for cell in row] for row in self._rows(0, 10))]
        lines = ["\t".join(row) for row in shown]
        if len(self) > 10:
            lines.append(f"... {len(self):,} rows")
        return "\n".join(lines)

    def _rows(self, first: int, count: int) -> list[tuple[Any, ...]]:
        return rows_with(self._core.meanings(), self._core.rows(first, count))

    def _index(self, column: str) -> int:
        try:
            return self.columns.index(column)
        except ValueError:
            raise UsageError(f"no column {column!r}; there are {', '.join(self.columns)}") from None


def _table_of_state(state: Any, report: Report) -> Table:
    return Table(_core.columns_of_state(state), report)


def _as_array(values: Any, numpy: Any) -> Any:
    return numpy.array(values, dtype=object) if isinstance(values, list) else values
