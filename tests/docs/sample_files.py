"""The small synthetic files that the pages' commands read."""

import gzip
import random
import struct

TWO_CITIES = """It was the best of times, it was the worst of times.
It was the age of wisdom, it was the age of foolishness.
"""
SEA = """The whale rose from the sea, and the sea closed over the whale.
Ishmael saw the whale; Ahab saw nothing but the whale.
"""
PAGE = """<html><body><a href="/about.html">About</a> <a href="https://example.org/">Example</a>
<map><area href="/index.html"></map></body></html>
"""


def log_line(client, page, agent, status=200, method="GET"):
    return (f'{client} - - [10/Oct/2026:13:55:36 +0000] "{method} {page} HTTP/1.1" {status} 2326 "-" "{agent}"\n')


LOG = (log_line("10.0.0.1", "/index.html", "Firefox") + log_line("10.0.0.2", "/index.html", "Safari")
       + log_line("10.0.0.1", "/index.html", "Firefox") + log_line("10.0.0.1", "/about.html", "Firefox"))


def npy(rows):
    """A table of float32, as NumPy saves it."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    numbers = [number for row in rows for number in row]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}f", *numbers)


def table(synthetic, rows, columns):
    return [[synthetic.random() for _ in range(columns)] for _ in range(rows)]


def csv(rows, header=None, delimiter=","):
    lines = [header] if header else []
    return "\n".join(lines + [delimiter.join(str(cell) for cell in row) for row in rows]) + "\n"


def libsvm(synthetic, rows):
    """Two classes that a line parts."""
    text = ""
    for row in range(rows):
        label = row % 2
        text += f"{label + 1} " + " ".join(f"{i + 1}:{synthetic.random() + label:.4f}" for i in range(8)) + "\n"
    return text


def write(folder):
    synthetic = random.Random(7)
    points = table(synthetic, 400, 3)
    texts = {
        "two-cities.txt": TWO_CITIES, "book.txt": SEA * 50, "books.txt": SEA * 50, "names.txt": "Ishmael\nAhab\n",
        "books/sea.txt": SEA, "books/cities.txt": TWO_CITIES, "access.log": LOG, "logs/other.log": LOG,
        "site/index.html": PAGE,
        "readings.csv": "station,temp\nHamburg,12.5\nBerlin,-1.25\nBerlin,3\n",
        "sales.jsonl": '{"user": {"country": "IT"}, "price": 7.5, "status": 200}\n{"user": {}, "price": null, "status": 404}\n',
        "requests.csv": "time,ip,bytes\n2026-05-06 07:08:09,10.0.0.7,512\n2026-05-06 23:00:00,10.0.1.8,64\n",
        "points.csv": "x,y\n0,0\n0,1\n1,0\n8,9\n9,8\n9,9\n",
        "car.data": csv([["low", "big", "yes"], ["high", "small", "no"], ["low", "small", "yes"]] * 5),
        "more.data": csv([["low", "big", "yes"], ["high", "big", "no"]]),
        "known.csv": csv([[*row, "ab"[i % 2]] for i, row in enumerate(table(synthetic, 40, 3))], "x,y,z,kind"),
        "new.csv": csv(table(synthetic, 5, 3), "x,y,z"),
        "skin.tsv": csv([[*row, 1 + i % 2] for i, row in enumerate(table(synthetic, 40, 3))], delimiter="\t"),
        "usps": libsvm(synthetic, 60), "usps.t": libsvm(synthetic, 20),
    }
    binary = {
        "more.txt.gz": gzip.compress(SEA.encode()), "access.log.1.gz": gzip.compress(LOG.encode()),
        "dump.html.gz": gzip.compress(PAGE.encode()),
        "pairs.bin": b"".join(struct.pack("<II", synthetic.randrange(50), synthetic.randrange(1000)) for _ in range(1000)),
        "a.npy": npy(table(synthetic, 20, 30)), "b.npy": npy(table(synthetic, 30, 10)), "vectors.npy": npy(table(synthetic, 50, 8)),
        "images.npy": npy(table(synthetic, 100, 20)), "points.npy": npy(points),
    }
    for name, content in {**{name: text.encode() for name, text in texts.items()}, **binary}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
