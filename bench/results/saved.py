"""Saved measurements, as answers are computed from them: runs (runs/*.json) and the tables of the pages beside this."""

import json
import math
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent


class Row:
    """A row of a run's table that was measured."""

    def __init__(self, saved):
        self.workload, self.program, self.device = saved["workload"], saved["program"], saved["device"]
        self.threads, self.over = saved["threads"], saved.get("speed_up")
        ordered = sorted(saved["seconds"])
        half = len(ordered) // 2
        self.seconds = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
        self.figures = {figure["name"]: figure["value"] for figure in saved.get("figures", [])}
        work = saved.get("work", {})
        self.rate = scaled(work["amount"] / self.seconds, "B/s") if work.get("unit") == "B" else ""
        self.size = scaled(work["amount"], "B") if work.get("unit") == "B" else ""
        self.time = scaled(self.seconds, "s")


def scaled(value, unit):
    """Three digits and a prefix: 1.19 GB/s, 354 ms."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u"), (0, "n")):
        if value >= factor * 0.9995 and (factor >= 1e3 or unit == "s" and factor <= 1 or factor == 1):
            if unit == "s" and factor > 1:
                continue
            shown = value / (factor or 1e-9)
            digits = 2 if shown < 9.995 else 1 if shown < 99.95 else 0
            return f"{shown:.{digits}f} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def measured(run, table):
    """The measured rows of a table."""
    tables = json.loads((FOLDER / "runs" / f"{run}.json").read_text())["tables"]
    saved = next(one for one in tables if one["name"] == table)["rows"]
    return [Row(one) for one in saved if one.get("seconds")]


def rows(run, table, **wanted):
    """The measured rows of a table whose members are as wanted; a text as its beginning."""
    found = measured(run, table)
    found = [row for row in found
             if all(str(getattr(row, name)).startswith(value) if name == "workload" else getattr(row, name) == value
                    for name, value in wanted.items())]
    if not found:
        raise LookupError(f"{run}, {table}: no row has {wanted}")
    return found


def row(run, table, **wanted):
    """The one row, or of several the last."""
    return rows(run, table, **wanted)[-1]


def tables_of(page):
    """The tables of a page in this folder, each a list of rows, each a list of cells; the first has the headings."""
    found, before = [], ""
    for line in (FOLDER / page).read_text().splitlines():
        if line.startswith("|"):
            if not before.startswith("|"):
                found.append([])
            if not re.fullmatch(r"[|:\- ]+", line) or not found[-1]:
                found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        before = line
    return found


def cells(page, number, column, **wanted):
    """The cells of a column in the rows of a page's table that have the wanted texts (column names with _ for blanks)."""
    heads, *body = tables_of(page)[number]
    places = {head.replace(" ", "_").replace(",", ""): at for at, head in enumerate(heads)}
    return [one[places[column]] for one in body if all(one[places[name]] == text for name, text in wanted.items())]


def number(text):
    return float(re.search(r"-?[0-9]+(\.[0-9]+)?", text.replace(",", ""))[0])


def span(values, digits=1):
    """The smallest and the largest: 5.6 to 10."""
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def mean(values):
    """Geometric."""
    values = list(values)
    return math.exp(sum(math.log(value) for value in values) / len(values))
