"""Naive Bayes over tables of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from duomap import _core
from duomap._options import Options, character, flag, one_of, real, settings, word, words
from duomap._table import Report
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing import Literal

    import numpy
    from numpy.typing import NDArray
    from typing_extensions import Unpack

_NO_CLASS = 2**32 - 1


class Classified(NamedTuple):
    """The classes that a model predicts for the rows of a table."""

    predicted: list[str | None]  #: the class of each line; None for a malformed line
    log_probability: NDArray[numpy.float64]  #: natural logarithm of the class's probability, given the row
    accuracy: float  #: the share of correct predictions among rows with a label; NaN if no row has one
    report: Report


class NaiveBayesModel:
    """A trained model: how often each category occurs in each class. It pickles as JSON."""

    def __init__(self, core: _core.NaiveBayesModel, report: Report | None = None) -> None:
        self._core = core
        self.report = report  #: the report of the training; None for a model that was read

    @classmethod
    def from_json(cls, text: str, name: str = "the model") -> NaiveBayesModel:
        """Reads a model that to_json() or `duomap run naivebayes --model-out` wrote. Raises InputError."""
        return cls(_core.NaiveBayesModel.from_json(text, name))

    def to_json(self) -> str:
        """The counts as JSON. Raises UsageError when a name is not UTF-8."""
        return self._core.to_json()

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of their bytes."""
        return self._core.classes()

    def classify(
        self, table: Texts, *, bad_rows: Literal["error", "drop"] = "error", **options: Unpack[Options]
    ) -> Classified:
        """Predicts the class of each row. The table has the columns of the training set, with or without the label column."""
        drop = one_of("bad_rows", bad_rows, ("error", "drop")) == "drop"
        with settings(options) as how:
            codes, log_probability, accuracy, report = self._core.classify(open_texts(table), drop, how)
        classes = self.classes
        predicted = [None if code == _NO_CLASS else classes[code] for code in codes.tolist()]
        return Classified(predicted, log_probability, accuracy, Report(report))

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return NaiveBayesModel.from_json, (self.to_json(),)


def naivebayes(
    table: Texts,
    *,
    label: str = "last",
    leave_out: Sequence[str] = (),
    header: bool = False,
    delimiter: str | None = None,
    alpha: float = 1.0,
    missing: Literal["category", "ignore"] = "category",
    bad_rows: Literal["error", "drop"] = "error",
    **options: Unpack[Options],
) -> NaiveBayesModel:
    """Trains a classifier on rows of categories from delimited text. Each distinct text is a category, even a number.

    A column is named by its name in the header, its number from 1 on, or "last". `alpha` is Laplace's smoothing.
    An empty field or ? counts as a category like any other; missing="ignore" leaves it out of the counts.

    Raises InputError, which names the file and line of a malformed row.
    Source: Manning, Raghavan & Schuetze, Introduction to Information Retrieval, section 13.2.
    """
    ignore = one_of("missing", missing, ("category", "ignore")) == "ignore"
    drop = one_of("bad_rows", bad_rows, ("error", "drop")) == "drop"
    with settings(options) as how:
        core, _, _, report = _core.naivebayes(
            open_texts(table), word("label", label), words("leave_out", leave_out), character("delimiter", delimiter), flag("header", header),
            real("alpha", alpha), ignore, drop, how
        )
    return NaiveBayesModel(core, Report(report))
