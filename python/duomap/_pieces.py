"""A stored partial cut by keys, so that each machine is sent its part of the keys and nothing else."""

from __future__ import annotations

import os
from typing import NamedTuple

_MARK = b"\x93duomap\n"
_NUMBER = 8  # bytes of a number that has a fixed size


class Piece(NamedTuple):
    """Some partitions of a stored partial, and its header (docs/reference/partials.md)."""

    size: int  #: of the whole partial
    start: int  #: of `body` in it
    body: bytes
    tail: bytes

    def write(self, path: str) -> None:
        """The partial with holes where the other partitions are: they take no room, and nobody reads them."""
        with open(path, "wb") as file:
            file.write(_MARK + (1).to_bytes(4, "little") + bytes(4))
            file.truncate(self.size)
            file.seek(self.start)
            file.write(self.body)
            file.seek(-len(self.tail), os.SEEK_END)
            file.write(self.tail)


def cut(partial: bytes, pieces: int) -> list[Piece]:
    """A piece for each part of the keys, as `duomap merge --keys` counts them.

    Raises ValueError for bytes that are no partial, and for one that has too few partitions.
    """
    header = int.from_bytes(partial[-3 * _NUMBER:-2 * _NUMBER], "little")
    if partial[:len(_MARK)] != _MARK or partial[-_NUMBER:] != _MARK or header > len(partial):
        raise ValueError("these bytes are no stored partial")
    places = _partitions(partial, header)
    if pieces > len(places):
        raise ValueError(f"there are {len(places)} partitions of the keys, too few for {pieces} files")
    made = []
    for number in range(pieces):
        first, last = (len(places) * at // pieces for at in (number, number + 1))
        start, end = places[first][0], sum(places[last - 1])
        made.append(Piece(len(partial), start, partial[start:end], partial[header:]))
    return made


def _partitions(partial: bytes, at: int) -> list[tuple[int, int]]:
    """The offset and the bytes of each, from the header that begins at `at`."""
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
        offset, size = (int.from_bytes(partial[at + i:at + i + _NUMBER], "little") for i in (0, _NUMBER))
        places.append((offset, size))
        at += 4 * _NUMBER
    return places
