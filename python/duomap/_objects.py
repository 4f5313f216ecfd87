"""Objects of remote stores as files of one part of an input, by fsspec.

The program reads files. A part gets those objects whole of which it has some bytes. Of the others it gets the size and the
first bytes, which say what they are: their files are holes otherwise, and are not read.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_FIRST_BYTES = 1 << 16


class Remote(NamedTuple):
    """An object: its store, its name there, its address, its bytes."""

    store: Any
    name: str
    address: str
    size: int


def is_remote(path: str) -> bool:
    """Whether it is an address, such as s3://bucket/books, and no path."""
    return "://" in path


def find(paths: Sequence[str], storage: Mapping[str, Any]) -> list[Remote]:
    """All objects of the addresses, in the order that a folder's files would have."""
    import fsspec

    found = []
    for address in paths:
        if not is_remote(address):
            raise ValueError(f"{address!r} is a path; give addresses only, or paths only")
        store, name = fsspec.core.url_to_fs(address, **storage)
        for one in sorted(store.find(name)) or [name]:
            whole = store.unstrip_protocol(one)
            if ".." in whole.split("/"):
                raise ValueError(f"{whole!r} has a part '..', which no file can have")
            found.append(Remote(store, one, whole, int(store.info(one)["size"])))
    return found


def fetch(objects: Sequence[Remote], part: int, parts: int, folder: str) -> list[str]:
    """Writes the files of a part below `folder`; their paths from there are the addresses."""
    total = sum(one.size for one in objects)
    # Byte order marks, which the program skips, move its cuts a little.
    slack = 16 * (len(objects) + 1)
    first, last = total * part // parts - slack, total * (part + 1) // parts + slack
    before = 0
    for one in objects:
        path = os.path.join(folder, *filter(None, one.address.split("/")))
        os.makedirs(posixpath.dirname(path), exist_ok=True)
        if before < last and before + one.size > first:
            one.store.get_file(one.name, path)
        else:
            with open(path, "wb") as file:
                file.write(one.store.cat_file(one.name, start=0, end=min(_FIRST_BYTES, one.size)))
                file.truncate(one.size)
        before += one.size
    return [one.address for one in objects]
