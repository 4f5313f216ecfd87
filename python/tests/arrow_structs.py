"""Arrow's C structures, filled by hand: also values that no library writes, and malformed ones."""

import ctypes
import mmap

_keep_alive = []
_libc = ctypes.CDLL(None, use_errno=True)


def forget():
    """Frees the memory of all structures that were made so far."""
    _keep_alive.clear()


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE_SCHEMA), ("private_data", ctypes.c_void_p)]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)), ("release", RELEASE_ARRAY), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR), ("release", RELEASE_STREAM),
    ("private_data", ctypes.c_void_p)]


def _release(one):
    one.contents.release = type(one.contents.release)()


_release_schema = RELEASE_SCHEMA(_release)
_release_array = RELEASE_ARRAY(_release)
_release_stream = RELEASE_STREAM(_release)


def pointers(of, type_of_one):
    """A C array of the pointers `of`. The structures and buffers behind them stay in memory."""
    made = (type_of_one * max(1, len(of)))(*of)
    _keep_alive.append((made, of))
    return made


def schema(format, children=(), name=b"x"):
    _keep_alive.append((format, name, children))
    child_pointers = pointers([one if one is None else ctypes.pointer(one) for one in children], ctypes.POINTER(Schema))
    return Schema(format, name, None, 2, len(children), child_pointers, None, _release_schema, None)


def guarded(content):
    """Copies bytes to the end of a page and returns their address. Reading past them is a fault."""
    pages = -(-max(1, len(content)) // mmap.PAGESIZE) + 1
    memory = mmap.mmap(-1, pages * mmap.PAGESIZE)
    begin = (pages - 1) * mmap.PAGESIZE - len(content)
    memory[begin : begin + len(content)] = content
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert _libc.mprotect(ctypes.c_void_p(address + (pages - 1) * mmap.PAGESIZE), mmap.PAGESIZE, 0) == 0
    _keep_alive.append(memory)
    return address + begin


def array(length, buffers, children=(), null_count=0, offset=0, **changed):
    """`buffers`: bytes, or None for a null pointer."""
    addresses = [None if one is None else guarded(bytes(one)) for one in buffers]
    child_pointers = pointers([one if one is None else ctypes.pointer(one) for one in children], ctypes.POINTER(Array))
    made = Array(length, null_count, offset, len(buffers), len(children), pointers(addresses, ctypes.c_void_p),
                 child_pointers, None, _release_array, None)
    for name, value in changed.items():
        setattr(made, name, value)
    return made


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def capsule(of, name):
    _keep_alive.append((of, name))
    return _new_capsule(ctypes.addressof(of), name, None)


class Column:
    """Exports one array by __arrow_c_array__, as pyarrow's arrays do."""

    def __init__(self, its_schema, its_array, names=(b"arrow_schema", b"arrow_array")):
        self.capsules = capsule(its_schema, names[0]), capsule(its_array, names[1])
        self.schema, self.array = its_schema, its_array

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


class Batches:
    """Exports a stream of batches. A number in place of a batch is an error of the stream."""

    def __init__(self, its_schema, batches, why=b"broken", name=b"arrow_array_stream", **changed):
        left = list(batches)

        def get_schema(_, out):
            if isinstance(its_schema, int):
                return its_schema
            out[0] = its_schema
            return 0

        def get_next(_, out):
            one = left.pop(0) if left else Array()
            if isinstance(one, int):
                return one
            out[0] = one
            return 0

        text = ctypes.create_string_buffer(why) if why is not None else None
        self.stream = Stream(GET_SCHEMA(get_schema), GET_NEXT(get_next),
                             LAST_ERROR(lambda _: text and ctypes.addressof(text)), _release_stream, None)
        for member, value in changed.items():
            setattr(self.stream, member, value)
        _keep_alive.append((text, self.stream, its_schema, batches))
        self.capsule = capsule(self.stream, name)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule
