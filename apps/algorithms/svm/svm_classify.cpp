#include "apps/algorithms/svm/gpu_decisions.hpp"
#include "apps/algorithms/svm/kernel_rows.hpp"
#include "apps/algorithms/svm/svm.hpp"
#include "apps/algorithms/svm/svm_devices.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/milliseconds_text.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/report/steps_report.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

double label_of(const svm_model& model, const double* values) {
  std::vector<std::uint32_t> votes(model.classes.size());
  for (std::uint64_t a = 0, pair = 0; a < model.classes.size(); ++a) {
    for (std::uint64_t b = a + 1; b < model.classes.size(); ++b, ++pair) ++votes[values[pair] > 0 ? a : b];
  }
  return model.classes[static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin())];
}

bool is_cancelled(const run_control* control) {
  return control != nullptr && control->cancelled.load(std::memory_order_relaxed);
}

/// The same rows, of more columns.
svm_rows with_columns(svm_rows rows, std::uint64_t columns) {
  rows.columns = columns;
  return rows;
}

/// The support vectors, dense or sparse, and as wide as the rows are that they meet.
class prepared_vectors {
 public:
  prepared_vectors(const svm_model& model, bool is_sparse, std::uint64_t columns)
    : dense_(is_sparse ? matrix<float>() : dense_of(with_columns(rows_of(model.rows), columns))),
      rows_(is_sparse ? with_columns(rows_of(model.rows), columns) : rows_of(dense_.view())),
      norms_(squared_norms(rows_)) {}

  [[nodiscard]] const svm_rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const float> norms() const noexcept { return norms_; }
  [[nodiscard]] bool are(bool sparse, std::uint64_t columns) const noexcept {
    return rows_.is_sparse() == sparse && rows_.columns == columns;
  }

 private:
  matrix<float> dense_;
  svm_rows rows_;
  std::vector<float> norms_;
};

/// Panels that nobody has taken: the sums of each row and pair into answer.values, and what they say. Sparse
/// rows are made dense panel by panel where the vectors are. With `beside`, that is done by one of the
/// workers before it takes panels.
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

}  // namespace

class svm_classifier::implementation {
 public:
  implementation(const svm_model& model, const job_options& options)
    : model_(model), options_(options), pool_(cpu::machine_pool(options.threads, index_input(1))) {
    if (options.timeline) log_.emplace(scheduler::steady_seconds(), pool_->workers());
  }

  [[nodiscard]] svm_answer classify(const svm_rows& rows);
  [[nodiscard]] iterative_report report() const;
  [[nodiscard]] unsigned workers() const noexcept { return pool_->workers(); }

 private:
  [[nodiscard]] std::optional<int> gpu_for(const svm_rows& rows);
  void sum_on_gpu(int gpu, const svm_rows& rows, scheduler::interval& panels, svm_answer& answer);

  void note(const std::string& sentence) { add_note(notes_, sentence); }

  const svm_model& model_;
  job_options options_;
  std::unique_ptr<worker_pool> pool_;
  std::optional<prepared_vectors> vectors_;
#if DUOMAP_HAS_CUDA
  std::optional<gpu_decisions> decisions_;  ///< of vectors_
#endif
  bool gpu_failed_ = false;
  double cpu_seconds_ = 0;              ///< spent on rows so far
  std::optional<std::size_t> why_not_;  ///< the note that says why no GPU was used
  std::vector<std::string> notes_;
  iterative_part on_cpu_{.name = "cpu"};
  std::optional<iterative_part> on_gpu_;
  double seconds_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<scheduler::step_log> log_;  ///< if a timeline is wanted
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
  const svm_rows shaped = with_columns(narrowed.rows() > 0 ? rows_of(narrowed) : rows, columns);
  const bool sparse = stays_sparse(shaped);
  if (!vectors_ || !vectors_->are(sparse, columns)) {
#if DUOMAP_HAS_CUDA
    decisions_.reset();
#endif
    vectors_.emplace(model_, sparse, columns);
  }
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t panel_rows = kernel_rows::panel_rows_of(sparse);
  scheduler::interval panels(static_cast<std::uint32_t>((rows.rows + panel_rows - 1) / panel_rows));
  const std::optional<int> gpu = gpu_for(shaped);
  const auto on_gpu = [&] {
    sum_on_gpu(*gpu, shaped, panels, answer);
  };
  const bool both = gpu && options_.device == device_choice::cpu_gpu;
  const std::uint64_t of_gpus = on_gpu_ ? on_gpu_->units : 0;
  if (gpu && !both) on_gpu();
  if (panels.remaining() > 0) {
    sum_on_cpu(model_, shaped, *vectors_, panels, *pool_, options_.control, answer, log_ ? &*log_ : nullptr,
               both ? std::function<void()>(on_gpu) : nullptr);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cpu_seconds_ += seconds;
    on_cpu_.busy_seconds += seconds;
    ++on_cpu_.steps;
  }
  if (is_cancelled(options_.control)) throw interrupted();
  on_cpu_.units += shaped.bytes() - ((on_gpu_ ? on_gpu_->units : 0) - of_gpus);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++steps_;
  return answer;
}

iterative_report svm_classifier::implementation::report() const {
  iterative_report all;
  all.steps = steps_;
  all.seconds = seconds_;
  if (options_.device != device_choice::gpu) all.parts.push_back(on_cpu_);
  if (on_gpu_) all.parts.push_back(*on_gpu_);
  share_by_units(all.parts);
  for (const iterative_part& part : all.parts) all.units += part.units;
  all.degraded = gpu_failed_;
  all.notes = notes_;
  if (log_) {
    all.timeline = log_->timeline();
    add_note(all.notes, log_->note());
  }
  return all;
}

/// Parts of an input are small each; what the CPU has spent on those before says that there are many.
std::optional<int> svm_classifier::implementation::gpu_for(const svm_rows& rows) {
  if (gpu_failed_) return std::nullopt;
  std::string why;
  const double expected = seconds_to_meet(vectors_->rows(), rows.rows) / pool_->workers();
  const std::optional<int> gpu = gpu_for_classification(options_, cpu_seconds_ + expected, why);
  if (gpu && why_not_)
    why = "the CPU classified alone until that had taken " + milliseconds_text(cpu_seconds_);
  if (why.empty()) return gpu;
  if (!why_not_) {
    why_not_ = notes_.size();
    notes_.emplace_back();
  }
  notes_[*why_not_] = why;
  return gpu;
}

#if DUOMAP_HAS_CUDA
/// Takes panels until there are none; gives back what fails.
void svm_classifier::implementation::sum_on_gpu(int gpu, const svm_rows& rows, scheduler::interval& panels,
                                                svm_answer& answer) {
  const std::uint64_t classes = model_.classes.size(), pairs = model_.pairs(), others = classes - 1;
  const std::uint64_t panel_rows = kernel_rows::panel_rows_of(vectors_->rows().is_sparse());
  scheduler::grain_range taken;
  std::uint64_t rows_done = 0;
  try {
    if (!on_gpu_) on_gpu_ = {.name = "gpu " + std::to_string(gpu), .kind = executor_kind::device};
    ++on_gpu_->steps;
    const auto lane_of = [&](const char* lane, const char* what) {
      return log_ ? &log_->lane(on_gpu_->name + " " + lane, what) : nullptr;
    };
    if (!decisions_) {
      on_gpu_->move_seconds += scheduler::timed(lane_of("copies", "copy"), [&] {
        std::vector<std::uint64_t> starts{0};
        for (const std::uint64_t count : model_.rows_of_class) starts.push_back(starts.back() + count);
        decisions_.emplace(vectors_->rows(), model_.kernel, starts, model_.coefficients, others, gpu);
        return vectors_->rows().bytes();
      });
    }
    std::vector<double> sums;
    while (!is_cancelled(options_.control)) {
      taken = panels.take_front(
          static_cast<std::uint32_t>(std::max<std::uint64_t>(1, decisions_->rows_at_once() / panel_rows)));
      if (taken.empty()) break;
      const std::uint64_t first = taken.begin * panel_rows;
      const std::uint64_t count = std::min(rows.rows - first, taken.size() * panel_rows);
      sums.resize(count * classes * others);
      const svm_rows some = slice(rows, first, count);
      on_gpu_->busy_seconds += scheduler::timed(lane_of("kernels", "map"), [&] {
        decisions_->compute(some, sums.data());
        return some.bytes();
      });
      on_gpu_->units += some.bytes();
      for (std::uint64_t row = 0; row < count; ++row) {
        const double* const of_row = sums.data() + row * classes * others;
        double* const own = answer.values.data() + (first + row) * pairs;
        for (std::uint64_t a = 0, pair = 0; a < classes; ++a) {
          for (std::uint64_t b = a + 1; b < classes; ++b, ++pair)
            own[pair] = of_row[a * others + b - 1] + of_row[b * others + a] - model_.rho[pair];
        }
        answer.labels[first + row] = label_of(model_, own);
      }
      rows_done += count;
    }
  } catch (const error& problem) {
    const bool is_lost = dynamic_cast<const device_lost*>(&problem) != nullptr;
    const bool is_full = dynamic_cast<const out_of_memory*>(&problem) != nullptr;
    if ((!is_lost && !is_full) || options_.device == device_choice::gpu || (is_lost && options_.strict))
      throw;
    panels.give_back_front(taken);
    gpu_failed_ = true;
    note(std::string("classified on the CPU: ") + problem.what());
  }
  if (rows_done > 0 && decisions_->streams())
    note("GPU " + std::to_string(gpu) +
         " has too little memory for the support vectors, which stayed on the host");
  if (rows_done == rows.rows) {
    note("classified on GPU " + std::to_string(gpu));
  } else if (rows_done > 0) {
    note("GPU " + std::to_string(gpu) + " and the CPU shared the rows");
  }
}
#else
void svm_classifier::implementation::sum_on_gpu(int, const svm_rows&, scheduler::interval&, svm_answer&) {}
#endif

svm_classifier::svm_classifier(const svm_model& model, const job_options& options)
  : own_(std::make_unique<implementation>(model, options)) {}

svm_classifier::~svm_classifier() = default;

svm_answer svm_classifier::classify(const svm_rows& rows) { return own_->classify(rows); }

iterative_report svm_classifier::report() const { return own_->report(); }

unsigned svm_classifier::workers() const noexcept { return own_->workers(); }

svm_answer svm_classify(const svm_model& model, const svm_rows& rows, const job_options& options) {
  svm_classifier classifier(model, options);
  svm_answer answer = classifier.classify(rows);
  if (options.report != nullptr) {
    options.report->task = "svmclassify";
    options.report->units = rows.bytes();
    options.report->results = rows.rows;
    scheduler::add_steps(classifier.report(), rows.bytes(), classifier.workers(), *options.report);
  }
  return answer;
}

}  // namespace duomap
