"""duomap: one MapReduce task on all CPU cores and GPUs of a machine.

    import duomap
    duomap.wordcount("books/", lower=True).top(20)

Functions take paths, bytes, open files and arrays, and the options of duomap.Options. They release the GIL while they
run, and Ctrl-C ends them. docs/howto/python.md has examples.
"""

from duomap._core import version as __version__

TYPE_CHECKING = False  # stands in for typing.TYPE_CHECKING: importing typing takes longer than importing all of duomap
if TYPE_CHECKING:
    from duomap._aggregate import aggregate
    from duomap._cpp_task import CppTask, cpp_task
    from duomap._errors import (
        CompileError,
        ConvergenceWarning,
        DeviceLost,
        DeviceUnavailable,
        Error,
        ForkedProcess,
        InputError,
        MapFailed,
        OutOfMemory,
        PrecisionWarning,
        UsageError,
    )
    from duomap._function_task import Dense, Format, FunctionTask, Reduction, dense, lines, maximum, minimum, rows, sum, task, words
    from duomap._naivebayes import Classified, NaiveBayesModel, naivebayes
    from duomap._number_functions import (
        Clusters,
        Components,
        Neighbors,
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
    from duomap._svm import SvmModel, svmtrain
    from duomap._table import Report, Table
    from duomap._text_functions import invertedindex, pageviewcount, stringmatch, wordcount

# The module of each public name. __getattr__ imports the module when the name is first used.
_NAMES = {
    "_aggregate": ("aggregate",),
    "_cpp_task": ("CppTask", "cpp_task"),
    "_errors": ("CompileError", "ConvergenceWarning", "DeviceLost", "DeviceUnavailable", "Error", "ForkedProcess", "InputError", "MapFailed", "OutOfMemory", "PrecisionWarning", "UsageError"),
    "_function_task": ("Dense", "Format", "FunctionTask", "Reduction", "dense", "lines", "maximum", "minimum", "rows", "sum", "task", "words"),
    "_naivebayes": ("Classified", "NaiveBayesModel", "naivebayes"),
    "_number_functions": ("Clusters", "Components", "Neighbors", "Numbers", "kmeans", "knn", "matmul", "pca", "read_table", "similarity"),
    "_options": ("Options",),
    "_own_task": ("Law", "run", "verify"),
    "_svm": ("SvmModel", "svmtrain"),
    "_table": ("Report", "Table"),
    "_text_functions": ("invertedindex", "pageviewcount", "stringmatch", "wordcount"),
}


if not TYPE_CHECKING:  # a type checker that saw __getattr__ would accept every name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _NAMES.items():
            if name in names:
                value: object = getattr(import_module(f"duomap.{module}"), name)
                globals()[name] = value
                return value
        from duomap._old_names import old_name

        return old_name(__name__, name)


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Classified",
    "Clusters",
    "CompileError",
    "Components",
    "ConvergenceWarning",
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
    "Neighbors",
    "Numbers",
    "Options",
    "OutOfMemory",
    "PrecisionWarning",
    "Reduction",
    "Report",
    "SvmModel",
    "Table",
    "UsageError",
    "__version__",
    "aggregate",
    "cpp_task",
    "dense",
    "invertedindex",
    "kmeans",
    "knn",
    "lines",
    "matmul",
    "maximum",
    "minimum",
    "naivebayes",
    "pageviewcount",
    "pca",
    "read_table",
    "rows",
    "run",
    "similarity",
    "stringmatch",
    "sum",
    "svmtrain",
    "task",
    "verify",
    "wordcount",
    "words",
]
