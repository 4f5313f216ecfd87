"""The exceptions of duomap."""

from __future__ import annotations


class Error(Exception):
    """Base of all errors that duomap raises on purpose. The message says what, where, and what to do."""


class UsageError(Error, ValueError):
    """The call makes no sense: an unknown option, k = 0, shapes that do not fit."""


class InputError(Error, ValueError):
    """An input is missing, unreadable, damaged or malformed; the message names the file and the place."""


class DeviceUnavailable(Error):
    """A device was asked for by name and cannot be used; the message says why."""


class DeviceLost(Error):
    """A GPU stopped working during a run; this process can use it no more."""


# MemoryError comes first, because its __new__ is for classes that begin with it: tblib, by which Dask pickles errors, calls it.
class OutOfMemory(MemoryError, Error):
    """Memory of the host or of a GPU ran out; the message says how much was asked for."""


class MapFailed(Error):
    """A task's map did what its task excludes."""


class ForkedProcess(Error):
    """The process was forked from one in which duomap had run."""


class CompileError(Error):
    """The source of a task does not compile; the message has the compiler's errors, with the source's lines."""
