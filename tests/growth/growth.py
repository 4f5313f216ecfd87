"""Measures how the CPU time of a run grows with inputs made to be slow, for each reader and
container: `./dev growth`. Not a test, because it measures time. Prints a table with the factor of
the last step. Ten times the input takes 10 to 20 times the time for n log n with cache misses, and
100 times for a square."""

import gzip
import lzma
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile

PROGRAM = os.environ["DUOMAP"]
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)
MOST_SECONDS = 60
MOST_FACTOR = 40

# The constants of core/hash.hpp, with which an attacker can invert the hash of keys.
MASK = 2**64 - 1
K0, K1, K2 = 0x9E3779B97F4A7C15, 0xB7E151628AED2A6B, 0x243F6A8885A308D3


def colliding_words(count):
    h = pow(K2, -1, 2**64)
    h ^= h >> 29 ^ h >> 58
    wanted = h * pow(K0, -1, 2**64) & MASK
    words, i = [], 0x61616161616161
    while len(words) < count:
        upper = (16 << 56 | i) * K1 & MASK
        lo = wanted ^ (upper << 32 & MASK | upper >> 32)
        lo ^= lo >> 32
        word = (lo.to_bytes(8, "little") + i.to_bytes(7, "little"))
        if all(c >= 0x80 or chr(c).isalnum() for c in word):
            words.append(word)
        i += 1
    return b"\n".join(words) + b"\n"


def colliding_labels(count):
    """Texts with one murmur hash of libstdc++, whose seed and steps are known."""
    factor, start = (0xC6A4A793 << 32) + 0x5BD1E995, 0xC70F6907
    inverse = pow(factor, -1, 2**64)
    start ^= 16 * factor & MASK
    labels, i = [], 0x6161616161616161
    while len(labels) < count:
        word = i * factor & MASK
        after = (start ^ (word ^ word >> 47) * factor & MASK) * factor & MASK
        second = (after ^ 12345) * inverse & MASK
        label = i.to_bytes(8, "little") + ((second ^ second >> 47) * inverse & MASK).to_bytes(8, "little")
        if all(c >= 0x80 or chr(c).isalnum() for c in label):
            labels.append(label)
        i += 1
    return labels


def csv(rows, row):
    return b"".join(row(i) for i in range(rows))


LOG = b'1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /%d.html HTTP/1.0" 200 9 "-" "agent"\n'
W3C = b"#Fields: date time c-ip cs-method cs-uri-stem sc-status\n"


def npy(rows):
    """Rows of two float32."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 2), }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + struct.pack("<4f", 1, 2, 3, 5) * (rows // 2) \
        + struct.pack("<2f", 1, 2) * (rows % 2)


# Name: options of `duomap run`, and a function that makes inputs of a size (mostly in bytes).
CASES = {
    "words that collide, 16 bytes each": (["wordcount"], lambda n: colliding_words(n // 16)),
    "one long word": (["wordcount"], lambda n: b"a" * n),
    "words that differ": (["wordcount"], lambda n: b"".join(b"%x " % i for i in range(n // 6))),
    "one line": (["stringmatch", "--pattern", "ab"], lambda n: b"a" * n),
    "a match at each byte": (["stringmatch", "--pattern", "aaaaaaaaaaaaaaaa"], lambda n: b"a" * n),
    "n / 20 patterns that begin alike": (["stringmatch", "--patterns", "SECOND"],
                                         lambda n: b"aaaaaaaaaaaa" * (n // 12),
                                         lambda n: b"".join(b"aaaaaaaaaaaa%07d\n" % i for i in range(n // 20))),
    "tags that do not end": (["invertedindex"], lambda n: b"<a href=" * (n // 8)),
    "beginnings of tags": (["invertedindex"], lambda n: b"<" * n),
    "comments that do not end": (["invertedindex"], lambda n: b"<!--" * (n // 4)),
    "scripts that do not end": (["invertedindex"], lambda n: b"<script><a>" * (n // 11)),
    "a link with many attributes": (["invertedindex"], lambda n: b"<a " + b"x='y' " * (n // 6) + b"href=z>"),
    "links that differ": (["invertedindex"], lambda n: b"".join(b"<a href=%d>" % i for i in range(n // 15))),
    "one link often": (["invertedindex"], lambda n: b"<a href=x>" * (n // 10)),
    "references in links": (["invertedindex"], lambda n: b"<a href='" + b"&amp" * (n // 4) + b"'>"),
    "pages that differ": (["pageviewcount"], lambda n: b"".join(LOG % i for i in range(n // 80))),
    "a log line of quotes": (["pageviewcount"], lambda n: LOG % 1 * 3 + b'"' * n),
    "a log line of backslashes": (["pageviewcount"], lambda n: LOG % 1 * 3 + LOG.rstrip() % 2 + b'"' + b"\\\"" * (n // 2)),
    "JSON that nests": (["pageviewcount"], lambda n: b'{"remote_addr":"1.2.3.4","request":"GET /a HTTP/1.1","status":200}\n' * 3
                        + b'{"a":' * (n // 5)),
    "rows of many fields": (["knn", "--k", "1", "--test", "SECOND", "--train"],
                            lambda n: (b"1.234567," * (n // 27) + b"1\n") * 3, lambda n: b"1.234567," * (n // 27) + b"1\n"),
    "rows of one field": (["pca"], lambda n: csv(n // 5, lambda i: b"%d,1\n" % (i % 100))),
    "quotes that do not end": (["pca"], lambda n: b'1,2\n3,"' + b"4,5\n" * (n // 4)),
    "labels that differ": (["knn", "--label", "2", "--test", "SECOND", "--train"],
                           lambda n: csv(n // 10, lambda i: b"%d,l%d\n" % (i % 10, i)), lambda n: b"1,l1\n"),
    "labels that collide": (["knn", "--label", "2", "--test", "SECOND", "--train"],
                            lambda n: b"".join(b"1,%s\n" % label for label in colliding_labels(n // 19)), lambda n: b"1,l1\n"),
    "symbols that collide": (["pca", "--symbols", "encode"],
                             lambda n: b"".join(b"%d,%s\n" % (i % 10, label) for i, label in enumerate(colliding_labels(n // 19)))),
    "rows that are left out": (["pca", "--bad-rows", "drop"], lambda n: csv(n // 6, lambda i: b"1,%d\n" % i if i % 2 else b"1,x\n")),
    "symbols that differ": (["pca", "--symbols", "encode"], lambda n: csv(n // 10, lambda i: b"%d,s%d\n" % (i % 10, i))),
    "names of columns that are alike": (["naivebayes", "--header", "--label", "last", "--train"],
                                        lambda n: b"a," * (n // 4) + b"b\n" + (b"x," * (n // 4) + b"y\n") * 2),
    "categories that differ": (["naivebayes", "--label", "last", "--train"],
                               lambda n: csv(n // 12, lambda i: b"c%d,d%d,%d\n" % (i, i, i % 2))),
    "categories that collide": (["naivebayes", "--label", "last", "--train"],
                                lambda n: b"".join(b"%s,%d\n" % (word, i % 2) for i, word in
                                                   enumerate(colliding_words(n // 18).split()))),
    "classes that differ": (["naivebayes", "--label", "last", "--train"],
                            lambda n: csv(n // 12, lambda i: b"c%d,%d\n" % (i % 5, i))),
    "one sparse row": (["svmtrain"], lambda n: b"1 1:1\n-1 " + b" ".join(b"%d:1" % (i + 1) for i in range(n // 8)) + b"\n"),
    "a long number": (["pca"], lambda n: b"1,1\n2," + b"1" * n + b"\n3,4\n"),
    "keys that collide": (["aggregate", "--no-decompress"], lambda n: colliding_words(n // 18).replace(b"\n", b",1\n")),
    "log lines of JSON": (["pageviewcount"], lambda n: b'{"remote_addr":"1.2.3.4","request":"GET /a HTTP/1.1","status":200}\n' * (n // 67)),
    "a log whose fields are said again and again": (["pageviewcount"],
                                                    lambda n: (W3C + b"2024-01-01 00:00:00 1.2.3.4 GET /a 200\n") * (n // 100)),
    "UTF-16": (["wordcount"], lambda n: ("ab " * (n // 6)).encode("utf-16")),
    "an array of numpy": (["pca"], lambda n: npy(n // 8)),
    "many members of gzip": (["wordcount"], lambda n: gzip.compress(b"a b\n") * (n // 24)),
    "one word in many members": (["wordcount"], lambda n: gzip.compress(b"a" * 100) * (n // 24)),
    "empty members": (["wordcount"], lambda n: gzip.compress(b"a") + gzip.compress(b"") * (n // 20)),
    "many streams of xz": (["wordcount"], lambda n: lzma.compress(b"a b\n") * (n // 60)),
    "zeros, compressed": (["wordcount"], lambda n: gzip.compress(b"\0" * (n * 10))),
}


def seconds_of(folder, arguments, first, second):
    name = "input.gz" if first[:2] == b"\x1f\x8b" else "input"
    (folder / name).write_bytes(first)
    if second is not None:
        (folder / "second").write_bytes(second)
    command = [PROGRAM, "run", arguments[0], "--quiet", "--threads", "1",
               *("second" if one == "SECOND" else one for one in arguments[1:]), name]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # CPU time, because a busy machine makes the wall time longer.
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           env={**os.environ, "DUOMAP_PROFILE": "off"},
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)))
    if ended.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, "more than a minute"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "" if ended.returncode in (0, 5) else (
        f"status {ended.returncode}: {ended.stderr.decode(errors='replace').strip()[:200]}")


def main():
    steep = []
    print("| input | " + " | ".join(f"{size:,}" for size in SIZES) + " | factor |")
    print("|---|" + "---:|" * (len(SIZES) + 1))
    with tempfile.TemporaryDirectory() as name:
        for case, (arguments, make, *others) in CASES.items():
            if len(sys.argv) > 1 and sys.argv[1] not in case:
                continue
            second = others[0] if others and callable(others[0]) else None
            cells, seconds = [], []
            for size in SIZES:
                first = make(size)
                took, problem = seconds_of(pathlib.Path(name), arguments, first, second(size) if second else None)
                cells.append(problem or f"{took * 1e3:.0f} ms")
                if took is None:
                    steep.append(case)
                    break
                seconds.append(took)
            # The fixed cost of a run, some milliseconds, is not growth.
            base = seconds[0] if seconds else 0
            factor = (seconds[-1] - base) / max(seconds[-2] - base, 0.005) if len(seconds) > 2 else 0
            if factor > MOST_FACTOR:
                steep.append(case)
            print(f"| {case} | " + " | ".join(cells + [""] * (len(SIZES) - len(cells))) + f" | {factor:.1f} |", flush=True)
    if steep:
        sys.exit("more than n log n: " + ", ".join(steep))


main()
