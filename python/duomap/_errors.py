"""The exceptions of duomap."""

from __future__ import annotations


class Error(Exception):
    """Base of all errors that duomap raises on purpose. The message names the problem, the place, and a remedy."""


class UsageError(Error, ValueError):
    """The call makes no sense: an unknown option, k = 0, shapes that do not fit."""


class InputError(Error, ValueError):
    """An input is missing, unreadable, damaged or malformed; the message names the file and the place."""


class DeviceUnavailable(Error):
    """The call named a device that cannot be used; the message says why."""


class DeviceLost(Error):
    """A GPU stopped working during a run; this process can no longer use it."""


# MemoryError must be the first base: tblib, with which Dask pickles errors, calls its __new__.
class OutOfMemory(MemoryError, Error):
    """Memory of the host or of a GPU ran out; the message says how much the run asked for."""


class MapFailed(Error):
    """A task's map raised an exception, or broke a promise of its task, such as the range of its keys."""


class ForkedProcess(Error):
    """This process was forked from a process that had already run duomap."""


class PrecisionWarning(UserWarning):
    """Numbers lose digits that matter: float32 makes some of them equal, or rounds them by a large part of their range, or
    float64 rounds whole numbers above 2**53. The message names the column or the argument."""


class ConvergenceWarning(UserWarning):
    """An iteration ended before it reached the accuracy that the call asked for; the message says how far it was."""


class CompileError(Error):
    """The source of a task does not compile; the message has the compiler's errors and the source lines."""


def warn(message: str, kind: type[Warning]) -> None:
    """Warns at the line outside of duomap that made the call."""
    import sys
    import warnings

    # A context manager of duomap is entered through a frame of contextlib.
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in ("duomap", "contextlib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)
