"""duomap: one MapReduce task on all CPU cores and GPUs of a machine.

    import duomap
    duomap.word_count("books/", lower=True).top(20)

Functions take paths, bytes, open files and arrays, and the options of duomap.Options. They release the GIL, and Ctrl-C
ends them. docs/howto/python.md has examples.
"""

from duomap._core import version as __version__
from duomap._cpp_task import CppTask, cpp_task, run
from duomap._errors import (
    CompileError,
    DeviceLost,
    DeviceUnavailable,
    Error,
    ForkedProcess,
    InputError,
    MapFailed,
    OutOfMemory,
    UsageError,
)
from duomap._naive_bayes import Classified, NaiveBayesModel, naive_bayes
from duomap._number_functions import (
    Clusters,
    Components,
    Neighbours,
    Numbers,
    kmeans,
    knn,
    matmul,
    pca,
    read_table,
    similarity,
)
from duomap._options import Options
from duomap._svm import SvmModel, svm_train
from duomap._table import Report, Table
from duomap._text_functions import inverted_index, page_views, string_match, text_similarity, word_count

__all__ = [
    "Classified",
    "Clusters",
    "CompileError",
    "Components",
    "CppTask",
    "DeviceLost",
    "DeviceUnavailable",
    "Error",
    "ForkedProcess",
    "InputError",
    "MapFailed",
    "NaiveBayesModel",
    "Neighbours",
    "Numbers",
    "Options",
    "OutOfMemory",
    "Report",
    "SvmModel",
    "Table",
    "UsageError",
    "__version__",
    "cpp_task",
    "inverted_index",
    "kmeans",
    "knn",
    "matmul",
    "naive_bayes",
    "page_views",
    "pca",
    "read_table",
    "run",
    "similarity",
    "string_match",
    "svm_train",
    "text_similarity",
    "word_count",
]
