"""Takes stored partials apart (docs/reference/partials.md), and joins them with right checksums."""

import ctypes
import struct

MARK = b"\x93duomap\n"
VERSION = 2
FIRST = 16  # bytes in front of the partitions
LAST = 24  # bytes behind the header

_XXHASH = ctypes.CDLL("libxxhash.so.0")
_XXHASH.XXH3_64bits.restype = ctypes.c_uint64
_XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def _checksum(data):
    return _XXHASH.XXH3_64bits(data, len(data))


def number(value):
    """A number in the format of partials."""
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes(made) + bytes([value])


class Partial:
    """header: without the table of partitions. partitions: their bytes. entries: their numbers."""

    def __init__(self, stored):
        begin, = struct.unpack_from("<Q", stored, len(stored) - LAST)
        header, behind = stored[begin:-LAST], FIRST
        table = []
        at = next(place for place in range(len(header)) if self._is_table(header, place, begin))
        for place in range(at, len(header), 32):
            offset, size, entries, _ = struct.unpack_from("<4Q", header, place)
            assert offset == behind
            behind += size
            table.append((offset, size, entries))
        self.header = header[:at]
        self.partitions = [stored[offset:offset + size] for offset, size, _ in table]
        self.entries = [entries for _, _, entries in table]

    @staticmethod
    def _is_table(header, at, end):
        behind = FIRST
        if (len(header) - at) % 32 != 0:
            return False
        for place in range(at, len(header), 32):
            offset, size = struct.unpack_from("<2Q", header, place)
            if offset != behind:
                return False
            behind += size
        return behind == end

    def stored(self, version=VERSION):
        """The bytes of the partial's file."""
        file = bytearray(MARK + struct.pack("<II", version, 0))
        header = bytearray(self.header)
        for data, entries in zip(self.partitions, self.entries):
            header += struct.pack("<4Q", len(file), len(data), entries, _checksum(data))
            file += data
        begin = len(file)
        return bytes(file + header + struct.pack("<QQ", begin, _checksum(bytes(header))) + MARK)
