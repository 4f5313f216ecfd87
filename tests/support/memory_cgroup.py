"""Makes a memory cgroup (version 2 or 1) for a program, if this process may."""

import os
import pathlib


def _mounts(kind, option):
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, behind = line.partition(" - ")
        type_of_mount, _, options = behind.split(" ", 2)
        if type_of_mount == kind and (not option or option in options.split(",")):
            yield pathlib.Path(before.split(" ")[4])


class MemoryCgroup:
    """A new cgroup. `refused` is the reason if there is none, or None."""

    def __init__(self):
        self.refused = "no memory cgroup is mounted"
        self.folder = None
        for kind, option, limit in (("cgroup", "memory", "memory.limit_in_bytes"), ("cgroup2", "", "memory.max")):
            for mount in _mounts(kind, option):
                folder = mount / f"duomap-test-{os.getpid()}"
                try:
                    if kind == "cgroup2":
                        (mount / "cgroup.subtree_control").write_text("+memory")
                    folder.mkdir()
                    self.folder, self._limit = folder, folder / limit
                    self.limit(1 << 30)
                    self.refused = None
                    return
                except OSError as problem:
                    self.refused = f"no memory cgroup can be made: {problem}"
                    self.remove()

    def limit(self, size):
        """Sets the bytes that all processes of the group may use, without swap."""
        self._limit.write_text(str(size))
        for swap in ("memory.swap.max", "memory.swappiness"):
            if (self.folder / swap).exists():
                (self.folder / swap).write_text("0")

    def enter(self):
        """A child calls this before it becomes the program."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        if self.folder is not None and self.folder.exists():
            self.folder.rmdir()
        self.folder = None
