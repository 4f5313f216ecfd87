"""duomap: one MapReduce task on all CPU cores and GPUs of a machine.

    import duomap
    duomap.word_count("books/", lower=True).top(20)

Functions take paths, bytes, open files and arrays, and the options of duomap.Options. They release the GIL, and Ctrl-C
ends them. docs/howto/python.md has examples.
"""

from duomap._core import version as __version__

TYPE_CHECKING = False  # that of typing, whose import takes longer than all of duomap's
if TYPE_CHECKING:
    from duomap._cpp_task import CppTask, cpp_task
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
    from duomap._function_task import Dense, Format, FunctionTask, Reduction, dense, lines, maximum, minimum, rows, sum, task, words
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
    from duomap._own_task import Law, run, verify
    from duomap._svm import SvmModel, svm_train
    from duomap._table import Report, Table
    from duomap._text_functions import inverted_index, page_views, string_match, text_similarity, word_count

# Where names are, which are imported when they are first used.
_NAMES = {
    "_cpp_task": ("CppTask", "cpp_task"),
    "_errors": ("CompileError", "DeviceLost", "DeviceUnavailable", "Error", "ForkedProcess", "InputError", "MapFailed", "OutOfMemory", "UsageError"),
    "_function_task": ("Dense", "Format", "FunctionTask", "Reduction", "dense", "lines", "maximum", "minimum", "rows", "sum", "task", "words"),
    "_naive_bayes": ("Classified", "NaiveBayesModel", "naive_bayes"),
    "_number_functions": ("Clusters", "Components", "Neighbours", "Numbers", "kmeans", "knn", "matmul", "pca", "read_table", "similarity"),
    "_options": ("Options",),
    "_own_task": ("Law", "run", "verify"),
    "_svm": ("SvmModel", "svm_train"),
    "_table": ("Report", "Table"),
    "_text_functions": ("inverted_index", "page_views", "string_match", "text_similarity", "word_count"),
}


if not TYPE_CHECKING:  # names that are not there stay errors for type checkers

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _NAMES.items():
            if name in names:
                value: object = getattr(import_module(f"duomap.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'duomap' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Classified",
    "Clusters",
    "CompileError",
    "Components",
    "CppTask",
    "Dense",
    "DeviceLost",
    "DeviceUnavailable",
    "Error",
    "ForkedProcess",
    "Format",
    "FunctionTask",
    "InputError",
    "Law",
    "MapFailed",
    "NaiveBayesModel",
    "Neighbours",
    "Numbers",
    "Options",
    "OutOfMemory",
    "Reduction",
    "Report",
    "SvmModel",
    "Table",
    "UsageError",
    "__version__",
    "cpp_task",
    "dense",
    "inverted_index",
    "kmeans",
    "knn",
    "lines",
    "matmul",
    "maximum",
    "minimum",
    "naive_bayes",
    "page_views",
    "pca",
    "read_table",
    "rows",
    "run",
    "similarity",
    "string_match",
    "sum",
    "svm_train",
    "task",
    "text_similarity",
    "verify",
    "word_count",
    "words",
]
