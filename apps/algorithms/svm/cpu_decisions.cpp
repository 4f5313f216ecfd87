#include "apps/algorithms/svm/cpu_decisions.hpp"

#include "apps/algorithms/svm/svm_vectors.hpp"

#include <algorithm>
#include <vector>

namespace duomap {
namespace {

/// Support vectors whose products with a panel of so many rows are computed at once.
std::uint64_t vectors_at_once(std::uint64_t panel_rows) {
  constexpr std::uint64_t bytes = std::uint64_t{512} << 10;
  return bytes / (panel_rows * sizeof(float));
}

/// Support vectors of one class, and what they are to be multiplied by in each of its pairs.
struct class_part {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t of_class = 0;
};

/// The pair of classes a < b.
std::uint64_t pair_of(std::uint64_t a, std::uint64_t b, std::uint64_t classes) {
  return a * classes - a * (a + 1) / 2 + (b - a - 1);
}

/// The support vectors in parts of one class each.
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

double label_of(const svm_model& model, const double* values) {
  std::vector<std::uint32_t> votes(model.classes.size());
  for (std::uint64_t a = 0, pair = 0; a < model.classes.size(); ++a) {
    for (std::uint64_t b = a + 1; b < model.classes.size(); ++b, ++pair) ++votes[values[pair] > 0 ? a : b];
  }
  return model.classes[static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin())];
}

void sum_on_cpu(const svm_model& model, const svm_rows& rows, const prepared_vectors& vectors,
                scheduler::interval& panels, worker_pool& pool, const run_control* control,
                svm_answer& answer, scheduler::step_log* log, const std::function<void()>& beside) {
  const std::uint64_t classes = model.classes.size(), pairs = model.pairs();
  const bool sparse = vectors.rows().is_sparse();
  const std::uint64_t stride = kernel_rows::panel_rows_of(sparse);
  const std::vector<class_part> parts = parts_of(model, vectors_at_once(stride));
  const svm_vectors& loops = svm_vectors_for(cpu::active_vector_path());
  pool.run_workers([&](unsigned worker) {
    if (worker == 0 && beside) beside();
    panel_scratch scratch;
    std::vector<float> values(vectors_at_once(stride) * stride);
    std::vector<const float*> of_vector(vectors_at_once(stride));
    for (std::size_t i = 0; i < of_vector.size(); ++i) of_vector[i] = values.data() + i * stride;
    std::vector<double> sums(pairs * stride);
    for (;;) {
      if (is_cancelled(control)) return;
      const scheduler::grain_range taken = panels.take_back(1);
      if (taken.empty()) return;
      scheduler::timed(log != nullptr ? &log->worker(worker) : nullptr, [&] {
        const std::uint64_t first = taken.begin * stride, count = std::min(stride, rows.rows - first);
        const svm_rows panel = slice(rows, first, count);
        const matrix<float> dense = panel.is_sparse() && !sparse ? dense_of(panel) : matrix<float>();
        kernel_rows kernel(panel.is_sparse() && !sparse ? rows_of(dense.view()) : panel, model.kernel);
        for (std::uint64_t pair = 0; pair < pairs; ++pair)
          std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(pair * stride), stride, -model.rho[pair]);
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

}  // namespace duomap
