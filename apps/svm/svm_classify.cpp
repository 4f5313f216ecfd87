#include "apps/svm/gpu_decisions.hpp"
#include "apps/svm/kernel_rows.hpp"
#include "apps/svm/svm.hpp"
#include "apps/svm/svm_devices.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
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

bool is_cancelled(const run_control* control) {
  return control != nullptr && control->cancelled.load(std::memory_order_relaxed);
}

/// The same rows, of more columns.
svm_rows with_columns(svm_rows rows, std::uint64_t columns) {
  rows.columns = columns;
  return rows;
}

/// The support vectors, dense or sparse and as wide as the rows are that they meet.
class prepared_vectors {
 public:
  prepared_vectors(const svm_model& model, bool is_sparse, std::uint64_t columns)
    : dense_(is_sparse ? matrix<float>() : dense_of(with_columns(rows_of(model.rows), columns))),
      rows_(is_sparse ? with_columns(rows_of(model.rows), columns) : rows_of(dense_.view())),
      norms_(squared_norms(rows_)) {}

  [[nodiscard]] const svm_rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const float> norms() const noexcept { return norms_; }
  [[nodiscard]] bool meet(const svm_rows& others) const noexcept {
    return rows_.is_sparse() == others.is_sparse() && rows_.columns == others.columns;
  }

 private:
  matrix<float> dense_;
  svm_rows rows_;
  std::vector<float> norms_;
};

/// The sums of each row and pair into answer.values, and what they say.
void sum_on_cpu(const svm_model& model, const svm_rows& rows, const prepared_vectors& vectors, parallel& pool,
                const run_control* control, svm_answer& answer) {
  const std::uint64_t classes = model.classes.size(), pairs = model.pairs();
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
      if (is_cancelled(control)) return;
      const std::uint64_t first = kernel.first_row(panel), count = kernel.rows_of(panel);
      for (std::uint64_t pair = 0; pair < pairs; ++pair)
        std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(pair * stride), stride, -model.rho[pair]);
      for (const class_part& part : parts) {
        kernel.compute(slice(vectors.rows(), part.first, part.count), vectors.norms().subspan(part.first),
                       panel, scratch, values.data());
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

}  // namespace

class svm_classifier::implementation {
 public:
  implementation(const svm_model& model, const job_options& options)
    : model_(model), options_(options), pool_(cpu::machine_pool(options.threads, index_input(1))) {}

  [[nodiscard]] svm_answer classify(const svm_rows& rows);
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  [[nodiscard]] bool sum_on_gpu(const svm_rows& rows, svm_answer& answer);

  void note(const std::string& sentence) { add_note(notes_, sentence); }

  const svm_model& model_;
  job_options options_;
  std::unique_ptr<parallel> pool_;
  std::optional<prepared_vectors> vectors_;
#if DUOMAP_HAS_CUDA
  std::optional<gpu_decisions> decisions_;  ///< of vectors_
  bool gpu_failed_ = false;
#endif
  std::vector<std::string> notes_;
};

svm_answer svm_classifier::implementation::classify(const svm_rows& rows) {
  svm_answer answer;
  answer.labels.resize(rows.rows);
  answer.values.resize(rows.rows * model_.pairs());
  // Never narrower than before, so that the vectors of the part before do.
  const std::uint64_t columns =
      std::max(rows.columns, vectors_ ? vectors_->rows().columns : model_.rows.columns);
  // Dense rows of another width become sparse, where a column that is not there costs nothing.
  sparse_matrix<float> narrowed;
  if (!rows.is_sparse() && rows.columns != columns) narrowed = sparse_of(rows);
  const svm_layout layout(with_columns(narrowed.rows() > 0 ? rows_of(narrowed) : rows, columns));
  if (!vectors_ || !vectors_->meet(layout.rows())) {
#if DUOMAP_HAS_CUDA
    decisions_.reset();
#endif
    vectors_.emplace(model_, layout.rows().is_sparse(), layout.rows().columns);
  }
  if (!sum_on_gpu(layout.rows(), answer))
    sum_on_cpu(model_, layout.rows(), *vectors_, *pool_, options_.control, answer);
  if (is_cancelled(options_.control)) throw interrupted();
  return answer;
}

#if DUOMAP_HAS_CUDA
/// False when the CPU is to do it.
bool svm_classifier::implementation::sum_on_gpu(const svm_rows& rows, svm_answer& answer) {
  std::string why;
  const std::optional<int> gpu = gpu_for_classification(
      options_.device, cpu_seconds(vectors_->rows(), rows.rows) / pool_->workers(), why);
  note(why);
  if (!gpu || gpu_failed_) return false;
  const std::uint64_t classes = model_.classes.size(), pairs = model_.pairs(), others = classes - 1;
  std::vector<double> sums(rows.rows * classes * others);
  try {
    if (!decisions_) {
      std::vector<std::uint64_t> starts{0};
      for (const std::uint64_t count : model_.rows_of_class) starts.push_back(starts.back() + count);
      decisions_.emplace(vectors_->rows(), model_.kernel, starts, model_.coefficients, others, *gpu);
    }
    decisions_->compute(rows, sums.data());
  } catch (const error& problem) {
    const bool is_lost = dynamic_cast<const device_lost*>(&problem) != nullptr;
    const bool is_full = dynamic_cast<const out_of_memory*>(&problem) != nullptr;
    if ((!is_lost && !is_full) || options_.device == device_choice::gpu || (is_lost && options_.strict))
      throw;
    note(std::string("classified on the CPU: ") + problem.what());
    gpu_failed_ = true;
    return false;
  }
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const double* const of_row = sums.data() + row * classes * others;
    double* const own = answer.values.data() + row * pairs;
    for (std::uint64_t a = 0, pair = 0; a < classes; ++a) {
      for (std::uint64_t b = a + 1; b < classes; ++b, ++pair)
        own[pair] = of_row[a * others + b - 1] + of_row[b * others + a] - model_.rho[pair];
    }
    answer.labels[row] = label_of(model_, own);
  }
  note("classified on GPU " + std::to_string(*gpu));
  return true;
}
#else
bool svm_classifier::implementation::sum_on_gpu(const svm_rows& rows, svm_answer&) {
  std::string why;
  static_cast<void>(gpu_for_classification(options_.device,
                                           cpu_seconds(vectors_->rows(), rows.rows) / pool_->workers(), why));
  note(why);
  return false;
}
#endif

svm_classifier::svm_classifier(const svm_model& model, const job_options& options)
  : own_(std::make_unique<implementation>(model, options)) {}

svm_classifier::~svm_classifier() = default;

svm_answer svm_classifier::classify(const svm_rows& rows) { return own_->classify(rows); }

const std::vector<std::string>& svm_classifier::notes() const noexcept { return own_->notes(); }

svm_answer svm_classify(const svm_model& model, const svm_rows& rows, const job_options& options) {
  const auto start = std::chrono::steady_clock::now();
  svm_classifier classifier(model, options);
  svm_answer answer = classifier.classify(rows);
  if (options.report != nullptr) {
    options.report->task = "svmclassify";
    for (const std::string& note : classifier.notes()) options.report->notes.push_back(note);
    options.report->units = options.report->results = rows.rows;
    options.report->map_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return answer;
}

}  // namespace duomap
