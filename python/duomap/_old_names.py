"""The old names. They work in the next version, with a DeprecationWarning. After it this file goes, and all uses of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TypeVar, cast

from duomap._errors import UsageError, warn

#: For each module its old names, with their new names.
NAMES = {
    "duomap": {
        "Neighbours": "Neighbors",
        "inverted_index": "invertedindex",
        "naive_bayes": "naivebayes",
        "page_views": "pageviewcount",
        "string_match": "stringmatch",
        "svm_train": "svmtrain",
        "text_similarity": "similarity(..., words=True)",
        "word_count": "wordcount",
    },
    "duomap.iterative": {"Centres": "Centers"},
    "duomap.parts": {"Job": "RunInParts"},
}

#: Old and new names of arguments and attributes.
WORDS = {
    "centres": "centers",
    "epsilon": "tol",
    "job": "run",
    "max_iterations": "max_iter",
    "names": "columns",
    "parts": "slices",
    "split": "share",
    "split_bytes": "part_bytes",
    "weights": "class_weight",
}

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")


def old_name(module: str, name: str) -> Any:
    """What a module called `name` before. Raises AttributeError if no name of the module was that."""
    now = NAMES[module].get(name)
    if now is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    warn(f"{module}.{name} is called {module}.{now} now", DeprecationWarning)
    return _text_similarity if name == "text_similarity" else getattr(import_module(module), now)


def _text_similarity(texts: Any, **options: Any) -> Any:
    """The old function text_similarity()."""
    import duomap

    return duomap.similarity(texts, words=True, **options)


def old_keywords(*names: str) -> Callable[[Function], Function]:
    """Makes a decorator. The function that it decorates also takes these old names of its arguments."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def called(*arguments: Any, **named: Any) -> Any:
            where = function.__qualname__.removesuffix(".__init__") + "()"
            return function(*arguments, **with_new_names(named, names, where))

        return cast(Function, called)

    return decorate


def with_new_names(given: Mapping[str, object], names: Iterable[str], where: str) -> dict[str, Any]:
    """`given` with new names in place of the old `names`. Raises UsageError if it has both names of an argument."""
    named = dict(given)
    for old in names:
        if old in named:
            new = WORDS[old]
            if new in named:
                raise UsageError(f"{where} got {old}= and {new}=, the old and the new name of one argument; give only {new}=")
            warn(f"{old}= of {where} is called {new}= now", DeprecationWarning)
            named[new] = named.pop(old)
    return named


def old_attribute(of: object, name: str, value: Value) -> Value:
    """`value`, which an attribute of `of` had under its old name before."""
    warn(f"{type(of).__name__}.{name} is called {type(of).__name__}.{WORDS[name]} now", DeprecationWarning)
    return value
