"""The program README.md shows is the one that is built and tested."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
readme = (root / "README.md").read_text()
shown = readme.split("<!-- example: apps/examples/wordcount.cpp -->\n```cpp\n")[1].split("```\n<!-- end of example -->")[0]
source = (root / "apps/examples/wordcount.cpp").read_text().split("\n", 1)[1]
if shown != source:
    sys.exit("README.md shows another program than apps/examples/wordcount.cpp; copy it there, without its first line")
lines = [line for line in source.splitlines() if line.strip()]
if len(lines) > 30:
    sys.exit(f"a complete word count has {len(lines)} lines; it should stay near 25")
