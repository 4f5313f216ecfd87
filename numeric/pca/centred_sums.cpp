// Adds up moments about an origin, and once more about a better origin if needed. Turns the sums into sums
// about the means.
#include "numeric/pca/centred_sums.hpp"

#include "core/deterministic.hpp"
#include "duomap.hpp"
#include "numeric/common/finite.hpp"
#include "numeric/common/sample_mean.hpp"
#include "numeric/pca/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace duomap {
namespace {

// `Rows`: a matrix_view or a gpu_matrix of T.

template <class T, class Rows>
auto moments_about(const std::vector<T>& origin, const Rows& rows, bool deterministic, worker_pool& pool,
                   const run_options& options) {
  const broadcast<T> about{origin.data(), origin.size()};
  const input from = view_input(rows.bytes(), "rows");
  std::vector<double> cells(moment_cells{origin.size()}.count());
  const auto keep = [&](const auto& result) {
    result.for_each([&](std::uint64_t key, double sum) { cells[key] = sum; });
  };
  if (deterministic) {
    keep(run(duomap::deterministic{moments<T, true>{about}}, from, pool, options));
  } else {
    keep(run(moments<T, false>{about}, from, pool, options));
  }
  return cells;
}

/// Turns sums of products about an origin into sums about the means.
template <class T>
centred_sums about_mean(const std::vector<double>& cells, const std::vector<T>& origin) {
  const std::uint64_t columns = origin.size();
  const moment_cells at{columns};
  centred_sums all;
  all.rows = static_cast<std::uint64_t>(cells[at.rows()]);
  all.products = matrix<double>(columns, columns, "the products of all columns");
  const auto rows = static_cast<double>(all.rows);
  for (std::uint64_t i = 0; i < columns; ++i) {
    all.mean.push_back(static_cast<double>(origin[i]) + cells[at.sum(i)] / rows);
    for (std::uint64_t j = i; j < columns; ++j) {
      double product = cells[at.product(i, j)] - cells[at.sum(i)] / rows * cells[at.sum(j)];
      if (i == j) product = std::max(product, 0.0);
      all.products.row(i)[j] = all.products.row(j)[i] = product;
    }
  }
  return all;
}

template <class T>
bool is_near(const std::vector<double>& cells, const std::vector<T>& origin, const centred_sums& found) {
  const moment_cells at{origin.size()};
  for (std::uint64_t i = 0; i < origin.size(); ++i) {
    const double sum = cells[at.sum(i)];
    if (sum * sum > found.products.row(i)[i] * static_cast<double>(found.rows)) return false;
  }
  return true;
}

/// The least sum of squares over `rows` rows without loss. A column with a smaller sum has squares that lose
/// digits of T, or are 0.
template <class T>
double least_squares(std::uint64_t rows) {
  return static_cast<double>(rows) * static_cast<double>(std::numeric_limits<T>::min());
}

/// The columns with different numbers whose squares about the origin lose digits.
template <class T, class Rows>
std::vector<std::uint64_t> lost_columns(const std::vector<double>& cells, const std::vector<T>& origin,
                                        const Rows& rows) {
  const moment_cells at{rows.columns};
  std::vector<std::uint64_t> lost;
  std::vector<T> some;
  for (std::uint64_t i = 0; i < rows.columns; ++i) {
    if (!(cells[at.product(i, i)] < least_squares<T>(rows.rows))) continue;
    // The mean of 256 equal doubles may be off by 256 roundings.
    const double rounding =
        256 * std::numeric_limits<T>::epsilon() * std::abs(static_cast<double>(origin[i]));
    bool differ = std::abs(cells[at.sum(i)]) > static_cast<double>(rows.rows) * rounding;
    // Differences to the origin may cancel out in the sum, so some rows are compared, too.
    if (!differ && some.empty()) some = some_rows(rows);
    for (std::uint64_t k = i; k < some.size(); k += rows.columns) differ = differ || some[k] != some[i];
    if (differ) lost.push_back(i);
  }
  return lost;
}

/// Names columns: "column 3", "column 3 and 7 others".
std::string columns_text(const std::vector<std::uint64_t>& columns) {
  const std::size_t others = columns.size() - 1;
  return "column " + std::to_string(columns.front() + 1) +
         (others == 0 ? "" : " and " + std::to_string(others) + (others == 1 ? " other" : " others"));
}

template <class T, class Rows>
centred_sums sums_of_rows(const Rows& rows, const std::string& name, bool deterministic, worker_pool& pool,
                          const run_options& options) {
  if (rows.columns == 0) throw input_error(name + " has no columns");
  const std::uint64_t count = rows.rows;
  if (count < 2) {
    throw input_error(name + " has " + (count == 0 ? "no rows" : "one row") +
                      "; a variance needs at least two");
  }
  run_report report;
  run_options mine = options;
  mine.report = &report;
  std::vector<T> origin;
  for (const double mean : sample_mean(rows)) origin.push_back(static_cast<T>(mean));
  std::vector<double> cells = moments_about(origin, rows, deterministic, pool, mine);
  const std::string remedy = sizeof(T) == 4 ? " for float32; use float64 (--float64), or scale the columns"
                                            : " for float64; scale the columns";
  const auto refuse = [&](const std::string& what) {
    throw usage_error(name + ": " + what + remedy);
  };
  const auto require_numbers = [&] {
    if (std::ranges::all_of(cells, [](double sum) { return std::isfinite(sum); })) return;
    require_finite(rows, name, pool);
    refuse("products of its columns are too large");
  };
  require_numbers();
  centred_sums found = about_mean(cells, origin);
  if (!is_near(cells, origin, found)) {
    for (std::uint64_t i = 0; i < origin.size(); ++i) origin[i] = static_cast<T>(found.mean[i]);
    cells = moments_about(origin, rows, deterministic, pool, mine);
    require_numbers();
    found = about_mean(cells, origin);
    report.notes.push_back(
        "the rows were read twice, because the mean of 256 of them was not near that of all");
  }
  if (const auto lost = lost_columns(cells, origin, rows); !lost.empty()) {
    double squares = 0;
    for (std::uint64_t i = 0; i < rows.columns; ++i)
      squares += cells[moment_cells{rows.columns}.product(i, i)];
    if (squares < least_squares<T>(count)) refuse("products of its columns are too small");
    found.loss = name + ": products of " + columns_text(lost) + " are too small" + remedy;
    report.notes.push_back(found.loss);
  }
  if (options.report != nullptr) *options.report = std::move(report);
  return found;
}

}  // namespace

template <class T>
centred_sums centred_sums_of(matrix_view<T> rows, const std::string& name, bool deterministic,
                             worker_pool& pool, const run_options& options) {
  return sums_of_rows<T>(rows, name, deterministic, pool, options);
}

#if DUOMAP_HAS_CUDA
template <class T>
centred_sums centred_sums_of(gpu_matrix<T> rows, const std::string& name, bool deterministic,
                             worker_pool& pool, const run_options& options) {
  return sums_of_rows<T>(rows, name, deterministic, pool, options);
}

template centred_sums centred_sums_of(gpu_matrix<float>, const std::string&, bool, worker_pool&,
                                      const run_options&);
template centred_sums centred_sums_of(gpu_matrix<double>, const std::string&, bool, worker_pool&,
                                      const run_options&);
#endif

template centred_sums centred_sums_of(matrix_view<float>, const std::string&, bool, worker_pool&,
                                      const run_options&);
template centred_sums centred_sums_of(matrix_view<double>, const std::string&, bool, worker_pool&,
                                      const run_options&);

}  // namespace duomap
