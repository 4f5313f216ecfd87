"""Every return value of every function over numbers, compared with NumPy and scikit-learn.

The names come from the package and the results. The test fails for a name without a reference.
"""

import inspect
import itertools
import json
import warnings

import numpy
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn import cluster, naive_bayes, preprocessing, svm
from sklearn.feature_extraction import text

import duomap
from reference_tables import CASES, ERROR, labels_of, require_same, squared_distances, tables

every_case = pytest.mark.parametrize("name, dtype", CASES)


def require_fields(found, error, /, **references):
    """Compares each field of a tuple, a table or a model with the reference of that name. A
    reference that is a function checks the field itself."""
    if isinstance(found, duomap.Table):
        values = {name: found[name] for name in found.columns}
    else:
        names = getattr(found, "_fields", None) or [name for name in dir(found) if not name.startswith("_")]
        values = {name: getattr(found, name) for name in names if name != "report"}
        assert isinstance(found.report, duomap.Report) if "report" in names else True
    assert set(values) == set(references), "each needs a reference, and nothing else has one"
    for name, value in values.items():
        if callable(references[name]):
            assert references[name](value), name
        else:
            require_same(value, references[name], error, name)


@every_case
@pytest.mark.parametrize("max_iter", [1, 300])
def test_kmeans(name, dtype, max_iter):
    rows = tables(dtype)[name]
    for k in sorted({1, min(4, len(rows))}):
        start = rows[:: len(rows) // k][:k] + numpy.linspace(0, 0.1, rows.shape[1], dtype=dtype)  # avoids rows with two nearest centers
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn warns if there are fewer different rows than clusters
            theirs = cluster.KMeans(k, init=start, n_init=1, max_iter=max_iter, algorithm="lloyd").fit(rows)
        found = duomap.kmeans(rows, k, init=start, max_iter=max_iter)
        require_fields(
            found, ERROR[dtype],
            centers=theirs.cluster_centers_.astype("f8"),
            sizes=numpy.bincount(theirs.labels_, minlength=k).astype("u8"),
            labels=theirs.labels_.astype("u4"),
            inertia=float(squared_distances(rows, found.centers)[numpy.arange(len(rows)), found.labels].sum()),
            iterations=theirs.n_iter_,
            converged=lambda value, theirs=theirs: value or theirs.n_iter_ == max_iter,
        )  # fmt: skip
        assert duomap.kmeans(rows, k, init=start, max_iter=max_iter, labels=False).labels is None


@every_case
def test_knn(name, dtype):
    rows = tables(dtype)[name]
    labels = labels_of(rows, 3)
    for queries, k in itertools.product((rows, rows[::2] + 0.125), sorted({1, min(3, len(rows)), len(rows)})):
        squares = squared_distances(queries, rows)
        nearest = squares.argsort(1, kind="stable")[:, :k]
        voted = labels[nearest]
        most = [max(dict.fromkeys(one.tolist()), key=one.tolist().count) for one in voted]
        require_fields(
            duomap.knn(rows, queries, k, labels=labels), ERROR[dtype],
            distances=numpy.sqrt(numpy.take_along_axis(squares, nearest, 1)), indices=nearest, predicted=numpy.array(most, labels.dtype),
        )  # fmt: skip
        assert duomap.knn(rows, queries, k).predicted is None


@every_case
@pytest.mark.parametrize("correlation", [False, True])
def test_pca(name, dtype, correlation):
    rows = tables(dtype)[name]
    error = ERROR[dtype]
    if len(rows) == 1:
        with pytest.raises(duomap.InputError, match="one row"):
            duomap.pca(rows, correlation=correlation)
        return
    exact = rows.astype("f8")
    covariance = numpy.cov(exact.T).reshape(rows.shape[1], rows.shape[1])
    deviation = numpy.ones(rows.shape[1])
    if correlation:
        deviation = numpy.where(numpy.ptp(exact, axis=0) > 0, numpy.sqrt(numpy.diag(covariance)), 1)
    decomposed = covariance / numpy.outer(deviation, deviation)
    variances = numpy.maximum(numpy.linalg.eigvalsh(decomposed)[::-1], 0)
    most = min(rows.shape)
    for components in sorted({0, 1, (most + 1) // 2, most, rows.shape[1]}):
        kept = components or rows.shape[1]
        left = variances[kept:most]

        def are_axes(axes, kept=kept):
            spread = numpy.diag(axes @ decomposed @ axes.T)
            signs = axes[numpy.arange(kept), numpy.abs(axes).argmax(1)] > 0
            require_same(axes @ axes.T, numpy.eye(kept), 1e-9, "products of the axes")
            require_same(spread, variances[:kept], error, "variance along the axes")
            return axes.shape == (kept, rows.shape[1]) and signs.all()

        require_fields(
            duomap.pca(rows, components, correlation=correlation), error,
            axes=are_axes,
            variance=variances[:kept],
            share=variances[:kept] / max(variances.sum(), 1e-300),
            mean=exact.mean(0),
            deviation=deviation,
            covariance=covariance,
            noise_variance=float(left.mean()) if len(left) else 0.0,
        )  # fmt: skip


@every_case
@pytest.mark.parametrize("other", ["f4", "f8", "i1", "i8"])
def test_matmul(name, dtype, other):
    left = tables(dtype)[name]
    right = tables("f8")[name].T.astype(other)
    both = "f4" if (dtype, other) in {("f4", "f4"), ("f4", "i1")} else "f8"
    for deterministic in (False, True):
        product = duomap.matmul(left, right, deterministic=deterministic)
        require_same(product, (left.astype("f8") @ right.astype("f8")).astype(both), ERROR[both], "the product")


@every_case
def test_similarity(name, dtype):
    rows = tables(dtype)[name].astype("f4").astype("f8")
    lengths = numpy.sqrt((rows**2).sum(1))
    units = rows / numpy.where(lengths > 0, lengths, 1)[:, None]
    cosines = units @ units.T
    for threshold in (-1.5, 0.3):
        first, second = numpy.triu_indices(len(rows), 1)
        kept = cosines[first, second] >= threshold
        assert (numpy.abs(cosines[first, second] - threshold) > 1e-6).all(), "the test's own data is at the threshold"
        require_fields(
            duomap.similarity(tables(dtype)[name], threshold=threshold), 1e-6,
            first=first[kept].astype("u4"), second=second[kept].astype("u4"), cosine=cosines[first, second][kept].astype("f4"),
        )  # fmt: skip
    top = 3
    others = cosines.copy()
    numpy.fill_diagonal(others, -numpy.inf)
    kept = min(top, len(rows) - 1)
    best = -numpy.sort(-others, 1)[:, :kept]
    found = duomap.similarity(tables(dtype)[name], top=top)

    def are_others(second):
        chosen = cosines[found["first"], second].reshape(best.shape)
        return numpy.abs(chosen - best).max(initial=0) < 1e-6 and (second != found["first"]).all()

    require_fields(
        found, 1e-6, first=numpy.repeat(numpy.arange(len(rows), dtype="u4"), kept), second=are_others, cosine=best.ravel().astype("f4")
    )


@pytest.mark.parametrize("weights", ["counts", "tf-idf"])
@pytest.mark.parametrize("documents", [["a b c", "b c d d", "", "x"], ["same words", "same words"], ["one"], ["", ""]])
def test_similarity_of_words(weights, documents):
    words = text.CountVectorizer(token_pattern=r"\w+") if weights == "counts" else text.TfidfVectorizer(token_pattern=r"\w+", norm=None)
    try:
        vectors = words.fit_transform(documents).toarray()
    except ValueError:  # no text has a word
        vectors = numpy.zeros((len(documents), 1))
    cosines = preprocessing.normalize(vectors.astype("f8")) @ preprocessing.normalize(vectors.astype("f8")).T
    first, second = numpy.triu_indices(len(documents), 1)
    names = [f"text {i}" for i in range(len(documents))]
    found = duomap.similarity({name: one.encode() for name, one in zip(names, documents)}, words=True, weights=weights, threshold=-1.5)
    require_fields(
        found, 1e-6, first=[names[i] for i in first], second=[names[i] for i in second], cosine=cosines[first, second].astype("f4")
    )


@every_case
def test_read_table(tmp_path, name, dtype):
    rows = tables(dtype)[name]
    labels = labels_of(rows, 3)
    columns = [f"column {i}" for i in range(rows.shape[1])]
    lines = [",".join([*map(repr, row.tolist()), label]) for row, label in zip(rows, labels)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join([",".join([*columns, "label"]), *lines, ",".join(["?"] * (len(columns) + 1))]) + "\n")
    classes = sorted(set(labels.tolist()))
    require_fields(
        duomap.read_table(path, dtype={"f4": "float32", "f8": "float64"}[dtype], label="label", header=True, bad_rows="drop"), 0,
        values=rows,
        columns=columns,
        classes=classes,
        label_of_row=numpy.array([classes.index(one) for one in labels.tolist()], "u4"),
        dropped=1,
        first_dropped=lambda value: f"line {len(rows) + 2}" in value,
    )  # fmt: skip


def coefficients_of(model):
    """The coefficients in LIBSVM's text, with a row for each other class."""
    lines = model.to_libsvm().partition("SV\n")[2].splitlines()
    return numpy.array([[float(one) for one in line.split() if ":" not in one] for line in lines]).T


# Far from the origin rounding changes the multipliers, LIBSVM's too (float32 or float64 rows).
@pytest.mark.parametrize("name, dtype", [one for one in CASES if one[0] != "far from the origin"])
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_svm(name, dtype, classes):
    rows = tables(dtype)[name]
    labels = numpy.unique(labels_of(rows, classes), return_inverse=True)[1] * 7 + 1
    c, gamma = 2.0, 0.3
    model = duomap.svmtrain(rows, labels, c=c, gamma=gamma, tol=1e-4, class_weight={8.0: 0.5})
    exact = rows.astype("f4").astype("f8")
    kernel = numpy.exp(-gamma * squared_distances(exact, exact))
    coming = list(dict.fromkeys(labels.tolist()))
    pairs = list(itertools.combinations(range(len(coming)), 2))
    limit = {label: c * (0.5 if label == 8 else 1) for label in coming}
    of_row = numpy.zeros((len(coming) - 1, len(rows)))
    if len(coming) > 1:
        of_row[:, model.support] = coefficients_of(model)
    alpha = [numpy.where(labels == coming[a], of_row[b - 1], 0) + numpy.where(labels == coming[b], of_row[a], 0) for a, b in pairs]
    of_pair = [numpy.isin(labels, [coming[a], coming[b]]) for a, b in pairs]
    sizes = [numpy.abs(one) for one in alpha]
    rho = model.pairs["rho"]
    decisions = numpy.array([one @ kernel - offset for one, offset in zip(alpha, rho)]).T.reshape(len(rows), len(pairs))
    optimum = []
    for a, b in pairs:
        two = numpy.isin(labels, [coming[a], coming[b]])
        theirs = svm.SVC(C=c, gamma=gamma, tol=1e-8, class_weight={label: limit[label] / c for label in (coming[a], coming[b])})
        theirs.fit(exact[two], labels[two])
        found = numpy.zeros(two.sum())
        found[theirs.support_] = theirs.dual_coef_[0]
        optimum.append(found @ kernel[numpy.ix_(two, two)] @ found / 2 - numpy.abs(found).sum())
    votes = numpy.zeros((len(rows), len(coming)))
    for i, (a, b) in enumerate(pairs):
        votes[numpy.arange(len(rows)), numpy.where(model.decisions(rows)[:, i] > 0, a, b)] += 1
    require_fields(
        model, 1e-5,
        classes=numpy.array(coming, "f8"),
        support=numpy.concatenate([numpy.flatnonzero((labels == one) & (of_row != 0).any(0)) for one in coming]).astype("u4"),
        classify=lambda classify: (classify(rows) == numpy.array(coming)[votes.argmax(1)]).all(),
        decisions=lambda value: numpy.allclose(value(rows), decisions, atol=1e-4) and value(rows).shape == decisions.shape,
        pairs=lambda table: isinstance(table, duomap.Table),
        from_libsvm=lambda read: (read(model.to_libsvm()).decisions(rows) == model.decisions(rows)).all(),
        to_libsvm=lambda written: written() == duomap.SvmModel.from_libsvm(written()).to_libsvm(),
    )  # fmt: skip
    require_fields(
        model.pairs, 1e-3,
        **{"class": numpy.array([coming[a] for a, _ in pairs], "f8")},
        against=numpy.array([coming[b] for _, b in pairs], "f8"),
        objective=numpy.array(optimum, "f8"),
        rho=lambda value: len(value) == len(pairs),  # checked by the decision values
        iterations=lambda value: len(value) == len(pairs) and value.dtype == "u8",
        support_vectors=numpy.array([(one > 0).sum() for one in sizes], "u8"),
        bounded=numpy.array([(one == numpy.vectorize(limit.get)(labels)).sum() for one in sizes], "u8"),
        gap=lambda value: (value <= 1e-4).all() and len(value) == len(pairs),
    )  # fmt: skip


@every_case
@pytest.mark.parametrize("classes", [1, 3])
def test_naivebayes(name, dtype, classes):
    rows = numpy.abs(tables(dtype)[name] * 2).astype(int) % 5
    labels = labels_of(rows, classes)
    lines = [",".join(map(str, row)) for row in rows.tolist()]
    table = "".join(f"{line},{label}\n" for line, label in zip(lines, labels)).encode()
    theirs = naive_bayes.CategoricalNB(alpha=0.5)
    # Numbers the categories of each column in sorted order.
    codes = numpy.column_stack([numpy.unique(column, return_inverse=True)[1] for column in rows.T])
    theirs.fit(codes, labels)
    probability = theirs.predict_log_proba(codes)
    best = probability.max(1)
    model = duomap.naivebayes(table, alpha=0.5)

    def are_counts(written):
        stored = json.loads(written())
        counts = [numpy.array(list(one["categories"].values())).T for one in stored["attributes"]]
        return all((mine == other).all() for mine, other in zip(counts, theirs.category_count_, strict=True))

    require_fields(
        model, 1e-9,
        classes=theirs.classes_.tolist(),
        classify=callable,
        from_json=lambda read: read(model.to_json()).to_json() == model.to_json(),
        to_json=are_counts,
    )  # fmt: skip
    found = model.classify(table)
    column_of = {label: i for i, label in enumerate(theirs.classes_.tolist())}
    require_fields(
        found, 1e-9,
        predicted=lambda value: numpy.allclose([probability[i, column_of[one]] for i, one in enumerate(value)], best),
        log_probability=best,
        accuracy=float(numpy.mean([one == label for one, label in zip(found.predicted, labels)])),
    )  # fmt: skip


COMPARED = {"kmeans", "knn", "pca", "matmul", "similarity", "read_table", "svmtrain", "naivebayes"}


def test_every_function_is_compared():
    modules = {"duomap._number_functions", "duomap._svm", "duomap._naivebayes"}
    functions = {name for name in duomap.__all__ if inspect.isfunction(getattr(duomap, name)) and getattr(duomap, name).__module__ in modules}
    assert functions == COMPARED
