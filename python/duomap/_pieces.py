"""Cuts a stored partial by keys, so that each machine is sent only its part of the keys."""

from __future__ import annotations

import os
from typing import NamedTuple

_MARK = b"\x93duomap\n"
_FIRST = len(_MARK) + 8  # bytes of the mark and the version
_NUMBER = 8  # bytes of a number of fixed size; other numbers take one byte for each 7 bits


class Piece(NamedTuple):
    """Some partitions of a stored partial, and its header (docs/reference/partials.md)."""

    first: bytes  #: the partial's mark and version
    size: int  #: the bytes of the whole partial
    start: int  #: the offset of `body` in the partial
    body: bytes  #: the partitions
    tail: bytes  #: the header, which ends the partial

    def write(self, path: str) -> None:
        """Writes a file like the whole partial, with holes for the other partitions: holes take no disk space, and the
        program does not read them."""
        with open(path, "wb") as file:
            file.write(self.first)
            file.truncate(self.size)
            file.seek(self.start)
            file.write(self.body)
            file.seek(-len(self.tail), os.SEEK_END)
            file.write(self.tail)


def cut(partial: bytes, pieces: int) -> list[Piece]:
    """Cuts a partial into pieces, numbered as `duomap merge --keys` numbers the parts of the keys.

    Raises ValueError for bytes that are no partial, and for a partial with fewer partitions than pieces.
    """
    header = int.from_bytes(partial[-3 * _NUMBER:-2 * _NUMBER], "little")
    if partial[:len(_MARK)] != _MARK or partial[-_NUMBER:] != _MARK or header > len(partial):
        raise ValueError("these bytes are no stored partial")
    try:
        places = _partitions(partial, header)
    except IndexError:
        raise ValueError("these bytes are no stored partial: their header ends too early") from None
    # Checks only where the partitions are. The program checks their contents when it reads them.
    behind = _FIRST
    for start, size in places:
        if start != behind:
            raise ValueError("these bytes are no stored partial: their partitions do not lie side by side")
        behind += size
    if behind != header:
        raise ValueError("these bytes are no stored partial: their partitions do not lie side by side")
    if pieces > len(places):
        raise ValueError(f"there are {len(places)} partitions of the keys, too few for {pieces} files")
    made = []
    for number in range(pieces):
        first, last = (len(places) * at // pieces for at in (number, number + 1))
        start, end = places[first][0], sum(places[last - 1])
        made.append(Piece(partial[:_FIRST], len(partial), start, partial[start:end], partial[header:]))
    return made


def _partitions(partial: bytes, at: int) -> list[tuple[int, int]]:
    """The offset and size in bytes of each partition, from the header that begins at `at`."""
    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = partial[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def skip_text() -> None:
        nonlocal at
        size = number()
        at += size

    for _ in range(3):  # task, parameters, layout
        skip_text()
    number()  # dense keys
    at += _NUMBER  # the hash
    for _ in range(number()):  # sources
        skip_text()
        number()
        number()
        for _ in range(2 * number()):  # covered intervals
            number()
    places = []
    for _ in range(number()):
        if at + 4 * _NUMBER > len(partial):
            raise IndexError
        offset, size = (int.from_bytes(partial[at + i:at + i + _NUMBER], "little") for i in (0, _NUMBER))
        places.append((offset, size))
        at += 4 * _NUMBER
    return places
