// Calls the numeric library for Python: converts arguments, does one run, and converts its results.
#include "number_functions.hpp"

#include "arrays.hpp"
#include "column_set.hpp"
#include "cpu/machine_pool.hpp"
#include "gpu_arrays.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/kmeans_report.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/matmul/matmul.hpp"
#include "numeric/pca/pca.hpp"
#include "numeric/similarity/bag_of_words.hpp"
#include "numeric/similarity/similarity.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

// `Rows` is matrix_argument<T> or gpu_matrix<T> in these templates.

/// Points in GPU memory: `labels_at` is the address to write the labels to; 0: the labels go into the result.
template <class Rows>
several run_kmeans(const Rows& points, std::uint32_t clusters,
                   const std::optional<matrix_argument<double>>& initial, bool random,
                   std::uint32_t max_iterations, double tolerance, std::uint64_t seed, bool labels,
                   std::uintptr_t labels_at, const settings& how) {
  kmeans_options options{.clusters = clusters,
                         .start = random ? kmeans_start::random : kmeans_start::spread,
                         .max_iterations = max_iterations,
                         .tolerance = tolerance,
                         .seed = seed,
                         .labels = labels,
                         .run = how.options};
  if (initial) {
    options.start = kmeans_start::given;
    options.initial = view_of(*initial);
  }
  const auto view = view_of(points);
  auto [found, summary] = run_watched(how, false, [&](watched_run& one) {
    options.run.control = &one.control;
    const auto pool = cpu::machine_pool(one.threads(), view_input(view.bytes(), "points"));
    kmeans_result result = [&] {
      if constexpr (std::is_same_v<Rows, gpu_matrix<float>>) {
        return kmeans(view, options, *pool, at_address<std::uint32_t>(labels_at));
      } else {
        return kmeans(view, options, *pool);
      }
    }();
    one.report() = apps::kmeans_report(result, view.bytes().size, pool->workers());
    one.summary.explanation = apps::explanation_of_steps(result.report);
    one.summary.figures = {{"inertia", result.inertia}, {"iterations", std::uint64_t{result.iterations}}};
    return result;
  });
  return nb::make_tuple(to_array(std::move(found.centers)), to_array(std::move(found.sizes)),
                        to_array(std::move(found.labels)), found.inertia, found.iterations, found.converged,
                        found.loss, std::move(summary));
}

template <class Rows>
several run_knn(const Rows& training, const Rows& queries, std::uint32_t k,
                const std::optional<vector_argument<std::uint32_t>>& classes, const settings& how) {
  struct answer {
    std::vector<double> distances;
    std::vector<std::int64_t> rows;
    std::vector<std::uint32_t> votes;
  };
  const auto known = view_of(training), asked = view_of(queries);
  auto [found, summary] = run_watched(how, false, [&](watched_run& one) {
    const knn_result nearest = knn(known, asked, {.k = k, .run = one.options()});
    one.report().task = "knn";
    answer all;
    all.distances.reserve(nearest.neighbours.size());
    all.rows.reserve(nearest.neighbours.size());
    for (const neighbour& near : nearest.neighbours) {
      all.distances.push_back(near.score);
      all.rows.push_back(static_cast<std::int64_t>(near.index));
    }
    if (classes) all.votes = vote(nearest, view_of(*classes));
    return all;
  });
  const std::vector<std::size_t> shape{asked.rows, k};
  return nb::make_tuple(to_array(std::move(found.distances), shape), to_array(std::move(found.rows), shape),
                        to_array(std::move(found.votes)), std::move(summary));
}

template <class Rows>
several run_pca(const Rows& rows, std::uint32_t components, bool correlation, const settings& how) {
  const auto view = view_of(rows);
  auto [found, summary] = run_watched(how, false, [&](watched_run& one) {
    pca_result result = pca(view, {.components = components,
                                   .correlation = correlation,
                                   .deterministic = one.how.deterministic,
                                   .name = "the array",
                                   .run = one.options()});
    one.report().task = "pca";
    one.summary.figures = {{"noise_variance", result.noise_variance}};
    return result;
  });
  return nb::make_tuple(to_array(std::move(found.axes)), to_array(std::move(found.variance)),
                        to_array(std::move(found.share)), to_array(std::move(found.mean)),
                        to_array(std::move(found.deviation)), to_array(std::move(found.covariance)),
                        found.noise_variance, found.loss, std::move(summary));
}

matmul_options matmul_options_for(watched_run& one, bool tf32) {
  matmul_options options{.run = one.options()};
  if (tf32) options.kind = product_kind::tf32;
  if (one.how.deterministic) options.kind = product_kind::ordered;
  return options;
}

template <class T>
several run_matmul(const matrix_argument<T>& left, const matrix_argument<T>& right, bool tf32,
                   const settings& how) {
  const matrix_view<T> first = view_of(left), second = view_of(right);
  auto [product, summary] = run_watched(how, false, [&](watched_run& one) {
    matrix<T> result = matmul(first, second, matmul_options_for(one, tf32));
    one.report().task = "matmul";
    return result;
  });
  return nb::make_tuple(to_array(std::move(product)), std::move(summary));
}

/// `product_at` is the address in GPU memory to write the product to; 0: the product goes into the result.
template <class T>
several run_gpu_matmul(const gpu_matrix<T>& left, const gpu_matrix<T>& right, bool tf32,
                       std::uintptr_t product_at, const settings& how) {
  const std::uint64_t count = left.rows * right.columns;
  auto [product, summary] = run_watched(how, false, [&](watched_run& one) {
    matrix<T> result;
    if (product_at == 0) result = matrix<T>(left.rows, right.columns, "the product");
    T* const to = product_at == 0 ? result.data() : at_address<T>(product_at);
    matmul(left, right, std::span<T>(to, count), matmul_options_for(one, tf32));
    one.report().task = "matmul";
    return result;
  });
  return nb::make_tuple(to_array(std::move(product)), std::move(summary));
}

/// A table of pairs. `names` has the names of the rows; if it is empty, the table has their numbers.
column_set pair_columns(const std::vector<similar_pair>& pairs, const std::vector<std::string>& names) {
  std::vector<float> cosines;
  for (const similar_pair& one : pairs) cosines.push_back(one.cosine);
  const auto side = [&](const char* name, std::uint32_t similar_pair::*row) -> column {
    if (names.empty()) {
      std::vector<std::uint32_t> rows;
      for (const similar_pair& one : pairs) rows.push_back(one.*row);
      return {name, std::move(rows)};
    }
    text_column texts;
    for (const similar_pair& one : pairs) texts.push_back(byte_view(names[one.*row]));
    return {name, std::move(texts)};
  };
  columns all{{side("first", &similar_pair::first),
               side("second", &similar_pair::second),
               {"cosine", std::move(cosines)}}};
  return share(std::move(all));
}

std::vector<similar_pair> compare(matrix_view<float> vectors, std::optional<double> threshold,
                                  std::uint64_t best, const char* name, watched_run& one) {
  auto pairs =
      similarity(vectors, {.threshold = threshold,
                           .top = best,
                           .kind = one.how.deterministic ? product_kind::ordered : product_kind::plain,
                           .run = one.options(),
                           .name = name});
  one.report().task = "similarity";
  one.report().results = pairs.size();
  return pairs;
}

std::pair<column_set, apps::run_summary> run_similarity(const matrix_argument<float>& vectors,
                                                        std::optional<double> threshold, std::uint64_t best,
                                                        const settings& how) {
  const matrix_view<float> view = view_of(vectors);
  return run_watched(how, false, [&](watched_run& one) {
    return pair_columns(compare(view, threshold, best, "the array", one), {});
  });
}

std::pair<column_set, apps::run_summary> run_similarity_of_words(const texts& from, bool lines, bool tf_idf,
                                                                 std::uint64_t most_words,
                                                                 std::optional<double> threshold,
                                                                 std::uint64_t best, const settings& how) {
  return run_watched(how, false, [&](watched_run& one) {
    using how_words = bag_of_words_options;
    const input opened = from.open();
    const auto pool = cpu::machine_pool(one.threads(), opened);
    word_vectors bag =
        bag_of_words(opened, *pool,
                     {.document = lines ? how_words::documents::lines : how_words::documents::files,
                      .weight = tf_idf ? how_words::weights::tf_idf : how_words::weights::counts,
                      .most_words = most_words,
                      .control = &one.control});
    // If no text has a word, each text gets a vector of one zero.
    if (bag.rows.columns == 0) bag.rows.columns = 1;
    const matrix<float> vectors = dense_rows(bag.rows);
    return pair_columns(compare(vectors.view(), threshold, best, "the texts", one), bag.documents);
  });
}

template <class T>
several run_read_table(const nb::bytes& path, const std::string& label,
                       const std::vector<std::string>& wanted, const std::vector<std::string>& leave_out,
                       std::optional<bool> header, std::optional<char> delimiter, bool drop_bad_rows,
                       bool encode, const settings& how) {
  const std::string file(path.c_str(), path.size());
  auto [table, summary] = run_watched(how, false, [&](watched_run& one) {
    auto read = std::make_unique<labelled_table<T>>(
        read_table<T>(file, {.delimiter = delimiter,
                             .header = header,
                             .label = label,
                             .columns = wanted,
                             .leave_out = leave_out,
                             .symbols = encode ? symbol_columns::encode : symbol_columns::error,
                             .rows = drop_bad_rows ? bad_rows::drop : bad_rows::error,
                             .threads = one.threads(),
                             .control = &one.control}));
    return read;
  });
  const table_metadata facts = *table;
  const matrix_view<T> values = table->values.view();
  return nb::make_tuple(array_over(values.data, {values.rows, values.columns}, std::move(table)),
                        facts.column_names, facts.classes, to_array(facts.label_of_row), facts.dropped.count,
                        facts.dropped.first, note_on_loss(facts));
}

/// A sentence about the digits that float32 would lose of these numbers; empty if no loss matters.
std::string float32_loss_of(const matrix_argument<double>& numbers) {
  const matrix_view<double> rows = view_of(numbers);
  float32_loss_check watch;
  for (std::uint64_t i = 0; i < rows.values().size(); ++i) watch.add(i % rows.columns, rows.data[i]);
  const float32_loss loss = watch.loss();
  return note_on(loss, "column " + std::to_string(loss.first));
}

template <class Rows>
void add_kmeans_and_knn(nb::module_& module) {
  module.def("kmeans", run_kmeans<Rows>, "points"_a.noconvert(), "clusters"_a, "initial"_a.none().noconvert(),
             "random"_a, "max_iter"_a, "tol"_a, "seed"_a, "labels"_a, "labels_at"_a, "settings"_a);
  module.def("knn", run_knn<Rows>, "training"_a.noconvert(), "queries"_a.noconvert(), "k"_a,
             "classes"_a.none().noconvert(), "settings"_a);
}

/// Adds the functions that compute both with float and with double.
template <class T>
void add_both(nb::module_& module) {
  add_kmeans_and_knn<matrix_argument<T>>(module);
  module.def("pca", run_pca<matrix_argument<T>>, "rows"_a.noconvert(), "components"_a, "correlation"_a,
             "settings"_a);
  module.def("pca", run_pca<gpu_matrix<T>>, "rows"_a, "components"_a, "correlation"_a, "settings"_a);
  module.def("gpu_matmul", run_gpu_matmul<T>, "left"_a, "right"_a, "tf32"_a, "product_at"_a, "settings"_a);
  module.def("matmul", run_matmul<T>, "left"_a.noconvert(), "right"_a.noconvert(), "tf32"_a, "settings"_a);
  module.def(
      "address", [](const matrix_argument<T>& of) { return reinterpret_cast<std::uintptr_t>(of.data()); },
      "of"_a.noconvert());
}

}  // namespace

void add_number_functions(nb::module_& module) {
  add_both<float>(module);
  add_both<double>(module);
  // k-means and nearest neighbours compute on GPUs with float only.
  add_kmeans_and_knn<gpu_matrix<float>>(module);
  module.def("similarity", run_similarity, "vectors"_a.noconvert(), "threshold"_a.none(), "best"_a,
             "settings"_a);
  module.def("similarity", run_similarity_of_words, "texts"_a, "lines"_a, "tf_idf"_a, "most_words"_a,
             "threshold"_a.none(), "best"_a, "settings"_a);
  module.def("float32_loss", float32_loss_of, "numbers"_a.noconvert());
  const auto add_reader = [&](const char* name, const auto& read) {
    module.def(name, read, "path"_a, "label"_a, "columns"_a, "leave_out"_a, "header"_a.none(),
               "delimiter"_a.none(), "drop_bad_rows"_a, "encode"_a, "settings"_a);
  };
  add_reader("read_table_float32", run_read_table<float>);
  add_reader("read_table_float64", run_read_table<double>);
}

}  // namespace duomap::python
