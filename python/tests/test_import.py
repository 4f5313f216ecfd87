"""`import duomap` imports no slow module, and all public names exist."""

import subprocess
import sys

import pytest

import duomap

# Importing one of these modules takes longer than importing duomap.
SLOW = ("typing", "re", "json", "enum", "numpy", "sklearn", "numba")


def test_the_import_brings_nothing_slow():
    code = f"import sys\nbefore = set(sys.modules)\nimport duomap\nprint(sorted((set(sys.modules) - before) & set({SLOW})))"
    done = subprocess.run([sys.executable, "-S", "-c", "import sys; sys.path[:0] = " + repr(sys.path) + "\n" + code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done


def test_all_names_are_there():
    for name in duomap.__all__:
        assert getattr(duomap, name) is getattr(duomap, name)
    assert set(dir(duomap)) == set(duomap.__all__)
    with pytest.raises(AttributeError, match="no attribute 'word_counts'"):
        duomap.word_counts
