#include "apps/svm/gpu_decisions.hpp"
#include "apps/svm/kernel_rows.hpp"
#include "apps/svm/svm.hpp"
#include "apps/svm/svm_devices.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace duomap {
namespace {

/// Support vectors whose products with a panel are computed at once.
std::uint64_t vectors_at_once(const kernel_rows& rows) {
  constexpr std::uint64_t bytes = std::uint64_t{512} << 10;
  return bytes / (rows.panel_rows() * sizeof(float));
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

double label_of(const svm_model& model, const double* values) {
  std::vector<std::uint32_t> votes(model.classes.size());
  for (std::uint64_t a = 0, pair = 0; a < model.classes.size(); ++a) {
    for (std::uint64_t b = a + 1; b < model.classes.size(); ++b, ++pair) ++votes[values[pair] > 0 ? a : b];
  }
  return model.classes[static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin())];
}

/// What a kernel value takes a core: its numbers, and e^x with the sums (EPYC, AVX-512).
double cpu_seconds(const svm_rows& vectors, std::uint64_t rows) {
  const auto numbers =
      static_cast<double>(vectors.is_sparse() ? vectors.values.size() : vectors.dense.size());
  const double of_number = vectors.is_sparse() ? 0.08e-9 : 0.016e-9;
  return static_cast<double>(rows) * (numbers * of_number + static_cast<double>(vectors.rows) * 0.7e-9);
}

/// The sums of each row and pair into answer.values, and what they say.
void sum_on_cpu(const svm_model& model, const svm_rows& rows, const svm_rows& vectors, parallel& pool,
                const run_control* control, svm_answer& answer) {
  const std::uint64_t classes = model.classes.size(), pairs = model.pairs();
  const std::vector<float> norms = squared_norms(vectors);
  kernel_rows kernel(rows, model.kernel);
  const std::vector<class_part> parts = parts_of(model, vectors_at_once(kernel));
  const svm_vectors& loops = svm_vectors_for(cpu::active_vector_path());
  const std::uint64_t stride = kernel.panel_rows();
  std::atomic<std::uint64_t> next{0};
  pool.run_workers([&](unsigned) {
    panel_scratch scratch;
    std::vector<float> values(vectors_at_once(kernel) * stride);
    std::vector<const float*> of_vector(vectors_at_once(kernel));
    for (std::size_t i = 0; i < of_vector.size(); ++i) of_vector[i] = values.data() + i * stride;
    std::vector<double> sums(pairs * stride);
    for (std::uint64_t panel; (panel = next.fetch_add(1)) < kernel.panels();) {
      if (control != nullptr && control->cancelled.load(std::memory_order_relaxed)) return;
      const std::uint64_t first = kernel.first_row(panel), count = kernel.rows_of(panel);
      for (std::uint64_t pair = 0; pair < pairs; ++pair)
        std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(pair * stride), stride, -model.rho[pair]);
      for (const class_part& part : parts) {
        kernel.compute(slice(vectors, part.first, part.count), std::span(norms).subspan(part.first), panel,
                       scratch, values.data());
        for (std::uint64_t other = 0; other + 1 < classes; ++other) {
          const std::uint64_t b = other < part.of_class ? other : other + 1;
          const std::uint64_t pair = pair_of(std::min(part.of_class, b), std::max(part.of_class, b), classes);
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
    }
  });
}

#if DUOMAP_HAS_CUDA
void sum_on_gpu(const svm_model& model, const svm_rows& rows, const svm_rows& vectors, int device,
                svm_answer& answer) {
  const std::uint64_t classes = model.classes.size(), pairs = model.pairs(), others = classes - 1;
  std::vector<std::uint64_t> starts{0};
  for (const std::uint64_t count : model.rows_of_class) starts.push_back(starts.back() + count);
  gpu_decisions decisions(vectors, model.kernel, starts, model.coefficients, others, device);
  std::vector<double> sums(rows.rows * classes * others);
  decisions.compute(rows, sums.data());
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const double* const of_row = sums.data() + row * classes * others;
    double* const own = answer.values.data() + row * pairs;
    for (std::uint64_t a = 0, pair = 0; a < classes; ++a) {
      for (std::uint64_t b = a + 1; b < classes; ++b, ++pair)
        own[pair] = of_row[a * others + b - 1] + of_row[b * others + a] - model.rho[pair];
    }
    answer.labels[row] = label_of(model, own);
  }
}
#else
void sum_on_gpu(const svm_model&, const svm_rows&, const svm_rows&, int, svm_answer&) {}
#endif

/// Both with the same number of columns.
svm_rows with_columns(svm_rows rows, std::uint64_t columns) {
  rows.columns = columns;
  return rows;
}

}  // namespace

svm_answer svm_classify(const svm_model& model, const svm_rows& rows, const job_options& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t pairs = model.pairs();
  svm_answer answer;
  answer.labels.resize(rows.rows);
  answer.values.resize(rows.rows * pairs);

  // Dense rows of another width become sparse, where a column that is not there costs nothing.
  sparse_matrix<float> narrowed;
  svm_rows wide = rows;
  if (!rows.is_sparse() && rows.columns != model.rows.columns) {
    narrowed = sparse_of(rows);
    wide = rows_of(narrowed);
  }
  const std::uint64_t columns = std::max(wide.columns, model.rows.columns);
  const svm_layout layout(with_columns(wide, columns));
  const bool is_sparse = layout.rows().is_sparse();
  const svm_rows sparse_vectors = with_columns(rows_of(model.rows), columns);
  const matrix<float> dense_vectors = is_sparse ? matrix<float>() : dense_of(sparse_vectors);
  const svm_rows vectors = is_sparse ? sparse_vectors : rows_of(dense_vectors.view());
  const auto pool = cpu::machine_pool(options.threads, index_input(rows.rows * model.rows.rows()));
  std::string note;
  const std::optional<int> gpu =
      gpu_for_classification(options.device, cpu_seconds(vectors, rows.rows) / pool->workers(), note);
  bool done = false;
  if (gpu) {
    try {
      sum_on_gpu(model, layout.rows(), vectors, *gpu, answer);
      done = true;
      note = "classified on GPU " + std::to_string(*gpu);
    } catch (const error& problem) {
      const bool is_lost = dynamic_cast<const device_lost*>(&problem) != nullptr;
      const bool is_full = dynamic_cast<const out_of_memory*>(&problem) != nullptr;
      if ((!is_lost && !is_full) || options.device == device_choice::gpu || (is_lost && options.strict))
        throw;
      note = std::string("classified on the CPU: ") + problem.what();
    }
  }
  if (!done) sum_on_cpu(model, layout.rows(), vectors, *pool, options.control, answer);
  if (options.control != nullptr && options.control->cancelled.load(std::memory_order_relaxed))
    throw interrupted();
  if (options.report != nullptr) {
    options.report->task = "svmclassify";
    if (!note.empty()) options.report->notes.push_back(note);
    options.report->units = options.report->results = rows.rows;
    options.report->map_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return answer;
}

}  // namespace duomap
