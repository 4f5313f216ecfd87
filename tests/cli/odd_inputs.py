"""Tests unusual inputs of real users: their rows, or the message."""

import gzip
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

WORDS = ["wordcount", "--sort", "key"]
MATCH = ["stringmatch", "--pattern", "ab"]
PAGES = ["pageviewcount", "--sort", "key"]
MEAN = ["kmeans", "--k", "1"]
MEAN64 = ["kmeans", "--k", "1", "--float64"]
TRAIN = ["svmtrain"]
TIME = "[10/Oct/2000:13:55:36 -0700]"


def npy(kind, shape, data, order="False"):
    header = f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * (117 - len(header)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def log(client="192.0.2.1", request="GET /a HTTP/1.1", end='200 5 "-" "M"'):
    return f'{client} - - {TIME} "{request}" {end}\n'.encode()


# Title, command, file name, bytes; then the rows, or the status and parts of the message.
CASES = [
    ("a mark in front", WORDS, "t", b"\xef\xbb\xbfab ab", b"ab\t2\n"),
    ("a mark in the middle is a character", WORDS, "t", b"ab \xef\xbb\xbfab", "ab\t1\n\ufeffab\t1\n".encode()),
    ("line ends of Windows", WORDS, "t", b"ab cd\r\nab\r\n", b"ab\t2\ncd\t1\n"),
    ("bytes 0", WORDS, "t", b"ab\0cd\nab\n", b"ab\t2\ncd\t1\n"),
    ("an empty file", WORDS, "t", b"", b""),
    ("an empty file called .gz", WORDS, "t.gz", b"", 5, "it is empty, not gzip"),
    ("two members of gzip", WORDS, "t", gzip.compress(b"ab ") * 2, b"ab\t2\n"),
    ("something behind gzip", WORDS, "t", gzip.compress(b"ab") + b"x", 5, "something that is not gzip follows"),
    ("zeros behind gzip", WORDS, "t", gzip.compress(b"ab") + bytes(999), b"ab\t1\n"),
    ("half of a gzip file", WORDS, "t", gzip.compress(b"ab")[:-9], 5, "it is truncated"),
    ("a name with a line end", MATCH, "a\nb", b"ab", b"a\\nb\t0\t1\tab\n"),
    ("UTF-16 without a mark", MATCH, "t", "ab cd".encode("utf-16-le"), 5, "UTF-16LE without a byte order mark", "iconv"),
    ("an agent with quotes", PAGES, "t", log(end=r'200 5 "-" "M \"x\""'), b"/a\t1\n"),
    ("a URL with a quote", PAGES, "t", log(request=r"GET /a\"b HTTP/1.1"), b'/a"b\t1\n'),
    ("clients of IPv6", PAGES, "t", log("2001:db8::1") + log("::1"), b"/a\t2\n"),
    ("a size of -", PAGES, "t", log(end="200 -"), b"/a\t1\n"),
    ("a size below 0, and none", PAGES, "t", log() + log(end="200 -5") + log(end="200"), 5, "2 of 3 lines", "line 2, byte %d" % len(log())),
    ("requests without a page", PAGES, "t", log(request="-", end="408 -") + log(request=r"\x16\x03", end="400 0") + log(), b"/a\t1\n"),
    ("HTTP/0.9 and HTTP/3", PAGES, "t", log(request="GET /a") + log("192.0.2.2", request="GET /a HTTP/3.0"), b"/a\t2\n"),
    ("a virtual host of IPv6", PAGES, "t", b"[::1]:443 " + log(), b"/a\t1\n"),
    ("what else a server adds", PAGES, "t", log(end='200 5 "-" "M" 1 "router" 2ms'), b"/a\t1\n"),
    ("JSON over several lines", PAGES, "t", b'{\n "remote_addr": "192.0.2.1"\n}\n', 5, "line 1: '{' fits none of the log formats"),
    ("an error log", PAGES, "t", b"[Wed Oct 11 14:32:52 2000] [error] denied\n", 5, "fits none of the log formats"),
    ("a header in quotes", MEAN, "t.csv", b'"a, x","b ""q"""\n1,2\n3,4\n', b"0\t2\t2\t3\n"),
    ("a header with a number", MEAN, "t.csv", b"a,2019\n1,2\n", 5, "line 1: column 1: 'a'", "give --header yes"),
    ("decimal commas", MEAN, "t.csv", b"x;y\n1,5;2\n", 5, "line 2: column 1 ('x'): '1,5'", "a comma: numbers have a decimal point"),
    ("another delimiter", MEAN, "t.csv", b"1|2\n3|4\n", 5, "'1|2' is not a number (it has '|' between numbers); give the delimiter"),
    ("exponents", MEAN, "t.csv", b"1e3,2E-3\n+1.5,.5\n", b"0\t2\t500.75\t0.251\n"),
    ("exponents of Fortran", MEAN, "t.csv", b"1,2\n1.5d0,2\n", 5, "line 2: column 1: '1.5d0'", "begins with d instead of e"),
    ("hexadecimal numbers", MEAN, "t.csv", b"0x10,2\n", 5, "'0x10' is not a number (it is hexadecimal); correct it"),
    ("separators of thousands", MEAN, "t.csv", b'"1,000",2\n', 5, "'1,000'", "no separators of thousands"),
    ("a minus sign of Unicode", MEAN, "t.csv", "1,\u22122\n".encode(), 5, "'\\xe2\\x88\\x922'", "U+2212 instead of -"),
    ("infinity", MEAN, "t.csv", b"1,2\n3,inf\n", 5, "line 2: column 2: 'inf' is infinite"),
    ("nothing behind the last comma", MEAN, "t.csv", b"1,2,\n", 5, "column 3: the value is missing"),
    ("line ends of old Macs", MEAN, "t.csv", b"1,2\r3,4\r", 5, "its lines end with carriage returns alone; write line feeds first"),
    ("a line of sep=", MEAN, "t.csv", b"sep=;\n1;2\n3;4\n", b"0\t2\t2\t3\n"),
    ("JSON as a table", MEAN, "t.json", b"[[1,2],[3,4]]\n", 5, "JSON is not read as a table"),
    ("doubles as they are", MEAN64, "t.csv", b"7.7\n", b"0\t1\t7.7\n"),
    ("the mean of doubles", MEAN64, "t.csv", b"0.1\n0.2\n0.3\n", b"0\t3\t0.2\n"),
    ("big-endian .npy", MEAN, "t.npy", npy("'>f4'", "(2, 2)", struct.pack(">4f", 1, 2, 3, 4)), b"0\t2\t2\t3\n"),
    (".npy in Fortran order", MEAN, "t.npy", npy("'<f8'", "(2, 2)", struct.pack("<4d", 1, 3, 2, 4), "True"), b"0\t2\t2\t3\n"),
    (".npy of float16", MEAN, "t.npy", npy("'<f2'", "(2, 2)", bytes(8)), 5, "'<f2'", "array.astype('float32')"),
    (".npy of records", MEAN, "t.npy", npy("[('a', '<f4'), ('b', '<i4')]", "(1,)", bytes(8)), 5, "its elements are records"),
    (".npy that is cut", MEAN, "t.npy", npy("'<f4'", "(2, 2)", bytes(12)), 5, "asks for 2 rows of 2 numbers, and there are 12 bytes"),
    ("LIBSVM text with comments", TRAIN, "t", b"# from here\n1 1:2 # good\n-1 1:1\n", 0),
    ("LIBSVM text with queries", TRAIN, "t", b"1 qid:1 1:2\n-1 qid:2 1:1\n", 5, "'qid:1' is a group of rows for ranking"),
    ("an index twice", TRAIN, "t", b"1 1:2 1:3\n-1 1:1\n", 5, "index 1 stands behind index 1"),
]


class OddInputs(harness.ProgramTest):
    def test_what_each_gives(self):
        for what, command, name, stored, *expected in CASES:
            with self.subTest(what=what):
                self.write(name, stored)
                ended = self.run_program("run", *command, name, "--quiet")
                if isinstance(expected[0], bytes):
                    self.assertEqual((ended.status, ended.out, ended.err), (0, expected[0], ""))
                elif expected[0] == 0:
                    self.assertEqual((ended.status, ended.err), (0, ""))
                else:
                    self.assert_failed(ended, *expected)
                (self.folder / name).unlink()


if __name__ == "__main__":
    harness.main()
