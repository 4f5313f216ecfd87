// Computes decision values on the CPU, and the votes of all pairs of classes.
#include "numeric/svm/cpu_decisions.hpp"

#include "numeric/svm/svm_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace duomap {
namespace {

/// The number of support vectors whose products with a panel of `panel_rows` rows are computed at once.
template <class T>
std::uint64_t vectors_at_once(std::uint64_t panel_rows) {
  constexpr std::uint64_t bytes = std::uint64_t{512} << 10;
  return bytes / (panel_rows * sizeof(T));
}

/// Consecutive support vectors of one class.
struct class_part {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t of_class = 0;
};

/// Cuts the support vectors into parts of one class, at most `most` vectors each.
std::vector<class_part> parts_of(const svm_model& model, std::uint64_t most) {
  std::vector<class_part> parts;
  std::uint64_t first = 0;
  for (std::uint64_t a = 0; a < model.classes.size(); ++a) {
    for (std::uint64_t done = 0; done < model.rows_of_class[a]; done += most)
      parts.push_back({first + done, std::min(most, model.rows_of_class[a] - done), a});
    first += model.rows_of_class[a];
  }
  return parts;
}

}  // namespace

std::vector<double> rho_shift(const svm_model& model, const row_centre& centre) {
  // Subtracting the centre m leaves f of rbf the same. For linear, s.x = (s - m).(x - m) + (s - m).m + m.x,
  // where the m.x cancel because the weights add up to 0.
  if (model.kernel.kind != kernel_kind::linear || centre.columns.empty()) return {};
  std::vector<double> of_vector(model.rows.rows());
  for (std::uint64_t s = 0; s < of_vector.size(); ++s) {
    const auto columns = model.rows.columns_of_row(s);
    for (std::size_t k = 0; k < centre.columns.size(); ++k) {
      const auto found = std::ranges::lower_bound(columns, centre.columns[k]);
      const bool has = found != columns.end() && *found == centre.columns[k];
      const double value =
          has ? model.rows.values_of_row(s)[static_cast<std::size_t>(found - columns.begin())] : 0;
      of_vector[s] += (value - centre.values[k]) * centre.values[k];
    }
  }
  std::vector<double> shift(model.pairs());
  for_each_weight(model, [&](std::uint64_t pair, std::uint64_t vector, double weight) {
    shift[pair] += weight * of_vector[vector];
  });
  return shift;
}

row_centre centre_of(const svm_model& model) {
  constexpr double rounding = 1e-9;
  std::vector<double> sums(model.pairs()), sizes(model.pairs());
  for_each_weight(model, [&](std::uint64_t pair, std::uint64_t, double weight) {
    sums[pair] += weight;
    sizes[pair] += std::abs(weight);
  });
  for (std::size_t pair = 0; pair < sums.size(); ++pair) {
    if (std::abs(sums[pair]) > rounding * sizes[pair]) return {};
  }
  return centre_of(rows_of(model.rows), model.kernel.kind);
}

double label_of(const svm_model& model, const double* values) {
  std::vector<std::uint32_t> votes(model.classes.size());
  for (std::uint64_t a = 0, pair = 0; a < model.classes.size(); ++a) {
    for (std::uint64_t b = a + 1; b < model.classes.size(); ++b, ++pair) ++votes[values[pair] > 0 ? a : b];
  }
  return model.classes[static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin())];
}

template <class T>
void sum_on_cpu(const svm_model& model, const svm_rows_of<T>& rows, const prepared_vectors<T>& vectors,
                scheduler::interval& panels, worker_pool& pool, const run_control* control,
                svm_answer& answer, scheduler::step_log* log, const std::function<void()>& beside) {
  const std::uint64_t classes = model.classes.size(), pairs = model.pairs();
  const bool sparse = vectors.rows().is_sparse();
  const std::uint64_t stride = kernel_rows<T>::panel_rows_of(sparse);
  const std::vector<class_part> parts = parts_of(model, vectors_at_once<T>(stride));
  const svm_vectors<T>& loops = svm_vectors_for<T>(cpu::active_vector_path());
  pool.run_workers([&](unsigned worker) {
    if (worker == 0 && beside) beside();
    panel_scratch<T> scratch;
    std::vector<T> values(vectors_at_once<T>(stride) * stride);
    std::vector<const T*> of_vector(vectors_at_once<T>(stride));
    for (std::size_t i = 0; i < of_vector.size(); ++i) of_vector[i] = values.data() + i * stride;
    std::vector<double> sums(pairs * stride);
    for (;;) {
      if (is_cancelled(control)) return;
      const scheduler::grain_range taken = panels.take_back(1);
      if (taken.empty()) return;
      scheduler::timed(log != nullptr ? &log->worker(worker) : nullptr, [&] {
        const std::uint64_t first = taken.begin * stride, count = std::min(stride, rows.rows - first);
        const svm_rows_of<T> panel = slice(rows, first, count);
        const matrix<T> dense = panel.is_sparse() && !sparse ? dense_of(panel) : matrix<T>();
        kernel_rows<T> kernel(panel.is_sparse() && !sparse ? rows_of(dense.view()) : panel, model.kernel);
        for (std::uint64_t pair = 0; pair < pairs; ++pair)
          std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(pair * stride), stride,
                      -vectors.rho()[pair]);
        for (const class_part& part : parts) {
          kernel.compute(slice(vectors.rows(), part.first, part.count), vectors.norms().subspan(part.first),
                         0, scratch, values.data());
          for (std::uint64_t other = 0; other + 1 < classes; ++other) {
            const std::uint64_t b = other < part.of_class ? other : other + 1;
            const std::uint64_t pair =
                pair_of(std::min(part.of_class, b), std::max(part.of_class, b), classes);
            loops.add_rows(part.count, of_vector.data(),
                           model.coefficients.data() + other * model.rows.rows() + part.first, count,
                           sums.data() + pair * stride);
          }
        }
        for (std::uint64_t i = 0; i < count; ++i) {
          double* const own = answer.values.data() + (first + i) * pairs;
          for (std::uint64_t pair = 0; pair < pairs; ++pair) own[pair] = sums[pair * stride + i];
          answer.labels[first + i] = label_of(model, own);
        }
        return panel.bytes();
      });
    }
  });
}

template void sum_on_cpu(const svm_model& model, const svm_rows& rows, const prepared_vectors<float>& vectors,
                         scheduler::interval& panels, worker_pool& pool, const run_control* control,
                         svm_answer& answer, scheduler::step_log* log, const std::function<void()>& beside);
template void sum_on_cpu(const svm_model& model, const svm_rows_of<double>& rows,
                         const prepared_vectors<double>& vectors, scheduler::interval& panels,
                         worker_pool& pool, const run_control* control, svm_answer& answer,
                         scheduler::step_log* log, const std::function<void()>& beside);

}  // namespace duomap
