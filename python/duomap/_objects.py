"""Fetches objects of remote stores as the files that one part of an input needs, with fsspec.

The program reads files. A part fetches an object in full if some of the object's bytes belong to the part. For any other
object it makes a sparse file of the same size with only the first bytes, from which the program recognises the format; the
program does not read the rest.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_FIRST_BYTES = 1 << 16


class Remote(NamedTuple):
    """An object: its store, its name in the store, its address, and its size in bytes."""

    store: Any
    name: str
    address: str
    size: int


def is_remote(path: str) -> bool:
    """Whether `path` is an address, such as s3://bucket/books, and not a path."""
    return "://" in path


def find(paths: Sequence[str], storage: Mapping[str, Any]) -> list[Remote]:
    """All objects of the addresses, in the order in which the program reads the files of a folder."""
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
    """Writes the files that a part needs below `folder`, and returns their paths relative to it, which are the addresses."""
    total = sum(one.size for one in objects)
    # Slack for byte order marks: the program skips them, which moves its cuts by a few bytes.
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
