"""The options that all functions take."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, SupportsIndex, TypedDict, cast

from duomap import _core
from duomap._errors import UsageError
from duomap._old_names import with_new_names

if TYPE_CHECKING:
    from typing import Literal


class Options(TypedDict, total=False):
    """The options of a run, with the names and meanings of the command line.

    device: "auto" (the fastest choice), "cpu", "gpu" or "cpu+gpu".
    gpus: the numbers of the GPUs that may take part, as `duomap doctor` lists them, such as [0, 1]; None is all. A missing
        GPU raises DeviceUnavailable with "gpu" and "cpu+gpu", and adds a note to the report with "auto".
    threads: the largest number of CPU workers; 0 is one for each core that the process may use.
    share: how CPU and GPUs share the input: "auto" (by measured speed), or "gpu=0.8" (the GPUs' share).
    deterministic: floating-point sums have the same bits on all devices; UsageError from functions that cannot promise it.
    strict: the loss of a GPU ends the run.
    timeline: the report records the work of each worker over time, for the pictures of Report.to_html().
    progress: a function of (done, total), in bytes, that the thread which waits for the run calls every 50 ms; total is 0
        while it is not known, as in k-means until its end. True draws a bar of tqdm, in terminals and notebooks.
    """

    device: Literal["auto", "cpu", "gpu", "cpu+gpu"]
    gpus: Iterable[int] | None
    threads: int
    share: str
    deterministic: bool
    strict: bool
    timeline: bool
    progress: bool | Callable[[int, int], object]


class _Bar:
    """A progress bar of tqdm."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise UsageError("progress=True needs the package tqdm; install it, or give a function") from None
        self._bar: Any = tqdm(unit="B", unit_scale=True)

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _numbers_of_gpus(given: Iterable[int] | None) -> list[int]:
    if given is None:
        return []
    try:
        numbers = [operator.index(one) for one in given]
    except TypeError:
        numbers = []
    if not numbers or min(numbers) < 0 or max(numbers) >= 1 << 31:
        raise UsageError(f"gpus is {given!r}; give numbers of GPUs, as `duomap doctor` lists them, such as [0] or [0, 1]; None is all")
    return numbers


@contextmanager
def settings(options: Options) -> Iterator[_core.Settings]:
    """Checks the options of one run and gives them to the module. Closes the progress bar at the end."""
    options = cast(Options, with_new_names(options, ("split",), "the options"))
    unknown = options.keys() - Options.__annotations__.keys()
    if unknown:
        raise TypeError(f"unknown option {min(unknown)!r}; there are {', '.join(Options.__annotations__)}")
    progress = options.get("progress")
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise UsageError(f"progress is {progress!r}; give a function of (done, total), or True for a bar")
    bar = _Bar() if progress is True else None
    try:
        yield _core.Settings(
            device=word("device", options.get("device", "auto")),
            gpus=_numbers_of_gpus(options.get("gpus")),
            threads=whole("threads", options.get("threads", 0), most=2**32 - 1),
            share=word("share", options.get("share", "auto")),
            deterministic=flag("deterministic", options.get("deterministic", False)),
            strict=flag("strict", options.get("strict", False)),
            timeline=flag("timeline", options.get("timeline", False)),
            progress=bar or progress or None,
        )
    finally:
        if bar is not None:
            bar.close()


def whole(name: str, given: SupportsIndex, least: int = 0, most: int = 2**64 - 1) -> int:
    """`given`, if it is a whole number in the range."""
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if number < least:
        raise UsageError(f"{name} is {given!r}; give a whole number of at least {least}")
    if number > most:
        raise UsageError(f"{name} is {given!r}; give a whole number of at most {most}")
    return number


def real(name: str, given: float) -> float:
    """`given`, if it is a number and not NaN."""
    try:
        number = math.nan if isinstance(given, (str, bytes, bytearray)) else float(given)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise UsageError(f"{name} is {given!r}; give a number")
    return number


def flag(name: str, given: bool) -> bool:
    """`given`, if it is True or False, of Python or of NumPy."""
    if isinstance(given, bool) or type(given).__name__ in ("bool", "bool_"):
        return bool(given)
    raise UsageError(f"{name} is {given!r}; give True or False")


def word(name: str, given: str) -> str:
    """`given`, if it is a str."""
    if not isinstance(given, str):
        raise UsageError(f"{name} is {given!r}; give a str")
    return given


def character(name: str, given: str | None) -> str | None:
    """`given`, if it is one ASCII character or None."""
    if given is not None and not (isinstance(given, str) and len(given) == 1 and given.isascii()):
        raise UsageError(f"{name} is {given!r}; give one ASCII character, or None")
    return given


def words(name: str, given: str | Iterable[str]) -> list[str]:
    """`given` as a list of str, if it is one str or several."""
    every = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(one, str) for one in every):
        raise UsageError(f"{name} is {given!r}; give a list of str")
    return every


def one_of(name: str, given: str, allowed: tuple[str, ...]) -> str:
    """`given`, if it is allowed."""
    if given not in allowed:
        raise UsageError(f"{name} is {' or '.join(map(repr, allowed))}, not {given!r}")
    return given
