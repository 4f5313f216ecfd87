// Classifies rows in float32 on the CPU and GPUs, and corrects doubtful rows in float64.
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/seconds_text.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/svm/centred_rows.hpp"
#include "numeric/svm/cpu_decisions.hpp"
#include "numeric/svm/gpu_decisions.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/rounding_bound.hpp"
#include "numeric/svm/svm.hpp"
#include "numeric/svm/svm_devices.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/iterative/call_together.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/report/steps_report.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap {

class svm_classifier::implementation {
 public:
  implementation(const svm_model& model, const run_options& options)
    : model_(model), centre_(centre_of(model)), options_(options), pool_(cpu::machine_pool(options.threads)) {
    if (options.timeline) log_.emplace(scheduler::steady_seconds(), pool_->workers());
  }

  template <class T>
  [[nodiscard]] svm_answer classify(const svm_rows_of<T>& rows);
  [[nodiscard]] iterative_report report() const;
  [[nodiscard]] unsigned workers() const noexcept { return pool_->workers(); }

 private:
  /// A GPU that takes part in the classification.
  struct gpu_worker {
    explicit gpu_worker(int number)
      : gpu(number), part{.name = "gpu " + std::to_string(number), .kind = executor_kind::device} {}
    int gpu;
    iterative_part part;
    bool failed = false;
    std::uint64_t rows_done = 0;  ///< in the current call of classify()
    scheduler::grain_range taken = {};
    scheduler::step_lane* copies = nullptr;  ///< null: nothing is logged
    scheduler::step_lane* kernels = nullptr;
#if DUOMAP_HAS_CUDA
    std::optional<gpu_decisions> decisions = std::nullopt;  ///< with the support vectors `vectors_`
#endif
  };

  void classify_in_float32(const svm_rows& rows, svm_answer& answer);
  template <class T>
  void correct_in_float64(const svm_rows_of<T>& rows, const svm_rows& rounded, svm_answer& answer);
  [[nodiscard]] std::vector<gpu_worker*> gpus_for(const svm_rows& rows);
  [[nodiscard]] gpu_worker& seat_of(int gpu);
  [[nodiscard]] std::uint64_t units_of_gpus() const;
  void sum_on_gpus(std::vector<gpu_worker*> gpus, const svm_rows& rows, scheduler::interval& panels,
                   svm_answer& answer, std::vector<scheduler::grain_range>& left);
  void sum_on_gpu(gpu_worker& on, const svm_rows& rows, scheduler::interval& panels, svm_answer& answer);
  void fail(gpu_worker& one, bool others, const std::exception_ptr& why);
  void note_shares(const std::vector<gpu_worker*>& gpus, std::uint64_t rows);

  void note(const std::string& sentence) { add_note(notes_, sentence); }

  const svm_model& model_;
  row_centre centre_;
  run_options options_;
  std::unique_ptr<worker_pool> pool_;
  std::optional<prepared_vectors<float>> vectors_;
  std::optional<prepared_vectors<double>> exact_vectors_;
  std::optional<rounding_bound> bound_;
  double cpu_seconds_ = 0;              ///< of the CPU, on all rows so far
  std::optional<std::size_t> why_not_;  ///< index of the note that says why no GPU was used
  std::vector<std::string> notes_;
  iterative_part on_cpu_{.name = "cpu"};
  std::deque<gpu_worker> on_gpus_;
  double seconds_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<scheduler::step_log> log_;  ///< if a timeline is wanted
};

template <class T>
svm_answer svm_classifier::implementation::classify(const svm_rows_of<T>& rows) {
  const auto start = std::chrono::steady_clock::now();
  svm_answer answer;
  answer.labels.resize(rows.rows);
  answer.values.resize(rows.rows * model_.pairs());
  // The number of columns never falls, so that the vectors prepared for the last part can be used again.
  const std::uint64_t columns =
      std::max(rows.columns, vectors_ ? vectors_->rows().columns : model_.rows.columns);
  // Dense rows of another width become sparse, because a sparse row needs no numbers for missing columns.
  sparse_matrix<T> narrowed;
  if (!rows.is_sparse() && rows.columns != columns) narrowed = sparse_of(rows);
  const svm_rows_of<T> shaped = with_columns(narrowed.rows() > 0 ? rows_of(narrowed) : rows, columns);
  const bool sparse = stays_sparse(shaped);
  if (!vectors_ || !vectors_->are(sparse, columns)) {
#if DUOMAP_HAS_CUDA
    for (gpu_worker& one : on_gpus_) one.decisions.reset();
#endif
    exact_vectors_.reset();
    vectors_.emplace(model_, centre_, sparse, columns);
    bound_.emplace(model_, *vectors_);
  }
  const centred_rows<float> rounded(shaped, centre_);
  classify_in_float32(rounded.rows(), answer);
  correct_in_float64(shaped, rounded.rows(), answer);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++steps_;
  return answer;
}

/// Computes doubtful rows (rounding_bound) again, in float64.
template <class T>
void svm_classifier::implementation::correct_in_float64(const svm_rows_of<T>& rows, const svm_rows& rounded,
                                                        svm_answer& answer) {
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t pairs = model_.pairs();
  const std::vector<float> norms = squared_norms(rounded);
  std::vector<std::uint32_t> doubtful;
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    if (bound_->doubts(norms[row], std::span(answer.values).subspan(row * pairs, pairs)))
      doubtful.push_back(static_cast<std::uint32_t>(row));
  }
  if (doubtful.empty()) return;
  const svm_rows_of<float>& vectors = vectors_->rows();
  if (!exact_vectors_) exact_vectors_.emplace(model_, centre_, vectors.is_sparse(), vectors.columns);
  const row_copies<T> copies(rows, doubtful);
  const centred_rows<double> exact(copies.view(), centre_);
  svm_answer again{std::vector<double>(doubtful.size()), std::vector<double>(doubtful.size() * pairs)};
  const std::uint64_t panel_rows = kernel_rows<double>::panel_rows_of(vectors.is_sparse());
  scheduler::interval panels(static_cast<std::uint32_t>((doubtful.size() + panel_rows - 1) / panel_rows));
  sum_on_cpu(model_, exact.rows(), *exact_vectors_, panels, *pool_, options_.control, again, nullptr,
             nullptr);
  stop_if_cancelled(options_.control);
  for (std::size_t i = 0; i < doubtful.size(); ++i) {
    answer.labels[doubtful[i]] = again.labels[i];
    std::copy_n(again.values.begin() + static_cast<std::ptrdiff_t>(i * pairs), pairs,
                answer.values.begin() + static_cast<std::ptrdiff_t>(doubtful[i] * pairs));
  }
  on_cpu_.busy_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void svm_classifier::implementation::classify_in_float32(const svm_rows& shaped, svm_answer& answer) {
  const bool sparse = vectors_->rows().is_sparse();
  const std::uint64_t panel_rows = kernel_rows<float>::panel_rows_of(sparse);
  scheduler::interval panels(static_cast<std::uint32_t>((shaped.rows + panel_rows - 1) / panel_rows));
  const std::vector<gpu_worker*> gpus = gpus_for(shaped);
  std::vector<scheduler::grain_range> left;  // panels of GPUs that failed
  const auto on_gpus = [&] {
    sum_on_gpus(gpus, shaped, panels, answer, left);
  };
  const bool both = !gpus.empty() && options_.device == device_choice::cpu_gpu;
  const std::uint64_t of_gpus = units_of_gpus();
  if (!gpus.empty() && !both) on_gpus();
  const auto on_cpu = [&](scheduler::interval& of, const std::function<void()>& beside) {
    if (of.remaining() == 0) return;
    const auto begin = std::chrono::steady_clock::now();
    sum_on_cpu(model_, shaped, *vectors_, of, *pool_, options_.control, answer, log_ ? &*log_ : nullptr,
               beside);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    cpu_seconds_ += seconds;
    on_cpu_.busy_seconds += seconds;
    ++on_cpu_.steps;
  };
  on_cpu(panels, both ? std::function<void()>(on_gpus) : nullptr);
  for (const scheduler::grain_range& range : left) {
    scheduler::interval again(range);
    on_cpu(again, nullptr);
  }
  stop_if_cancelled(options_.control);
  note_shares(gpus, shaped.rows);
  on_cpu_.units += shaped.bytes() - (units_of_gpus() - of_gpus);
}

iterative_report svm_classifier::implementation::report() const {
  iterative_report all;
  all.steps = steps_;
  all.seconds = seconds_;
  if (options_.device != device_choice::gpu) all.parts.push_back(on_cpu_);
  for (const gpu_worker& one : on_gpus_) {
    if (one.part.steps > 0) all.parts.push_back(one.part);
    all.degraded = all.degraded || one.failed;
  }
  share_by_units(all.parts);
  for (const iterative_part& part : all.parts) all.units += part.units;
  all.notes = notes_;
  if (log_) {
    all.timeline = log_->timeline();
    add_note(all.notes, log_->note());
  }
  return all;
}

/// Chooses GPUs by the CPU's time on all parts so far, because each part alone is too small for a GPU.
std::vector<svm_classifier::implementation::gpu_worker*> svm_classifier::implementation::gpus_for(
    const svm_rows& rows) {
  std::string why;
  const double expected = estimate_kernel_seconds(vectors_->rows(), rows.rows) / pool_->workers();
  std::vector<gpu_worker*> gpus;
  for (const int gpu : gpus_for_classification(options_, cpu_seconds_ + expected, why)) {
    if (gpu_worker& one = seat_of(gpu); !one.failed) gpus.push_back(&one);
  }
  if (!gpus.empty() && why_not_)
    why = "the CPU classified alone until that had taken " + seconds_text(cpu_seconds_);
  if (why.empty()) return gpus;
  if (!why_not_) {
    why_not_ = notes_.size();
    notes_.emplace_back();
  }
  notes_[*why_not_] = why;
  return gpus;
}

svm_classifier::implementation::gpu_worker& svm_classifier::implementation::seat_of(int gpu) {
  for (gpu_worker& one : on_gpus_) {
    if (one.gpu == gpu) return one;
  }
  return on_gpus_.emplace_back(gpu);
}

std::uint64_t svm_classifier::implementation::units_of_gpus() const {
  std::uint64_t all = 0;
  for (const gpu_worker& one : on_gpus_) all += one.part.units;
  return all;
}

/// Runs all GPUs at once, each on its own thread, until no panels are left. If a GPU fails, other GPUs do its
/// panels. Without other GPUs, `left` gets these panels, and the failure is an error if only GPUs may take
/// part.
void svm_classifier::implementation::sum_on_gpus(std::vector<gpu_worker*> gpus, const svm_rows& rows,
                                                 scheduler::interval& panels, svm_answer& answer,
                                                 std::vector<scheduler::grain_range>& left) {
  for (gpu_worker* const one : gpus) {
    one->rows_done = 0;
    ++one->part.steps;
    if (!log_) continue;
    one->copies = &log_->lane(one->part.name + " copies", "copy");
    one->kernels = &log_->lane(one->part.name + " kernels", "map");
  }
  std::vector<scheduler::grain_range> open;
  const auto take_all = [&](scheduler::interval& of) {
    std::vector<std::function<void()>> calls;
    for (gpu_worker* const one : gpus) calls.push_back([&, one] { sum_on_gpu(*one, rows, of, answer); });
    const std::vector<std::exception_ptr> thrown = scheduler::call_together(calls);
    std::vector<gpu_worker*> able;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (!thrown[i]) able.push_back(gpus[i]);
    }
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (!thrown[i]) continue;
      fail(*gpus[i], !able.empty(), thrown[i]);
      if (!gpus[i]->taken.empty()) open.push_back(gpus[i]->taken);
    }
    gpus = std::move(able);
  };
  take_all(panels);
  while (!open.empty() && !gpus.empty()) {
    scheduler::interval again(open.back());
    open.pop_back();
    take_all(again);
  }
  left = std::move(open);
}

/// Records that a GPU failed. @throws `why`, unless `others` make up for the loss
void svm_classifier::implementation::fail(gpu_worker& one, bool others, const std::exception_ptr& why) {
  const auto give_up = [&](const error& problem, bool strict) {
    if ((options_.device == device_choice::gpu && !others) || strict) std::rethrow_exception(why);
    one.failed = true;
    note((others ? one.part.name + " classifies no more: " : std::string("classified on the CPU: ")) +
         problem.what());
  };
  try {
    std::rethrow_exception(why);
  } catch (const device_lost& problem) {
    give_up(problem, options_.strict);
  } catch (const out_of_memory& problem) {
    give_up(problem, false);
  }
}

void svm_classifier::implementation::note_shares(const std::vector<gpu_worker*>& gpus, std::uint64_t rows) {
  std::string names;
  std::uint64_t done = 0;
  for (const gpu_worker* const one : gpus) {
    if (one->rows_done == 0) continue;
    done += one->rows_done;
    names += (names.empty() ? "GPU " : " and GPU ") + std::to_string(one->gpu);
#if DUOMAP_HAS_CUDA
    if (one->decisions->streams())
      note("GPU " + std::to_string(one->gpu) +
           " has too little memory for the support vectors, which stayed on the host");
#endif
  }
  if (done == rows && done > 0) {
    note("classified on " + names);
  } else if (done > 0) {
    note(names + " and the CPU shared the rows");
  }
}

#if DUOMAP_HAS_CUDA
/// Takes panels until none are left. If this throws, the panels in `taken` are not done.
void svm_classifier::implementation::sum_on_gpu(gpu_worker& on, const svm_rows& rows,
                                                scheduler::interval& panels, svm_answer& answer) {
  const std::uint64_t classes = model_.classes.size(), pairs = model_.pairs(), others = classes - 1;
  const std::uint64_t panel_rows = kernel_rows<float>::panel_rows_of(vectors_->rows().is_sparse());
  on.taken = {};
  if (!on.decisions) {
    on.part.move_seconds += scheduler::timed(on.copies, [&] {
      std::vector<std::uint64_t> starts{0};
      for (const std::uint64_t count : model_.rows_of_class) starts.push_back(starts.back() + count);
      on.decisions.emplace(vectors_->rows(), model_.kernel, starts, model_.coefficients, others, on.gpu);
      return vectors_->rows().bytes();
    });
  }
  std::vector<double> sums;
  while (!is_cancelled(options_.control)) {
    on.taken = panels.take_front(
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, on.decisions->rows_at_once() / panel_rows)));
    if (on.taken.empty()) break;
    const std::uint64_t first = on.taken.begin * panel_rows;
    const std::uint64_t count = std::min(rows.rows - first, on.taken.size() * panel_rows);
    sums.resize(count * classes * others);
    const svm_rows some = slice(rows, first, count);
    on.part.busy_seconds += scheduler::timed(on.kernels, [&] {
      on.decisions->compute(some, sums.data());
      return some.bytes();
    });
    on.part.units += some.bytes();
    for (std::uint64_t row = 0; row < count; ++row) {
      const double* const of_row = sums.data() + row * classes * others;
      double* const own = answer.values.data() + (first + row) * pairs;
      for (std::uint64_t a = 0, pair = 0; a < classes; ++a) {
        for (std::uint64_t b = a + 1; b < classes; ++b, ++pair)
          own[pair] = of_row[a * others + b - 1] + of_row[b * others + a] - vectors_->rho()[pair];
      }
      answer.labels[first + row] = label_of(model_, own);
    }
    on.rows_done += count;
  }
}
#else
void svm_classifier::implementation::sum_on_gpu(gpu_worker&, const svm_rows&, scheduler::interval&,
                                                svm_answer&) {}
#endif

svm_classifier::svm_classifier(const svm_model& model, const run_options& options)
  : own_(std::make_unique<implementation>(model, options)) {}

svm_classifier::~svm_classifier() = default;

svm_answer svm_classifier::classify(const svm_rows& rows) { return own_->classify(rows); }
svm_answer svm_classifier::classify(const svm_rows_of<double>& rows) { return own_->classify(rows); }

iterative_report svm_classifier::report() const { return own_->report(); }

unsigned svm_classifier::workers() const noexcept { return own_->workers(); }

namespace {

template <class T>
svm_answer classify_at_once(const svm_model& model, const svm_rows_of<T>& rows, const run_options& options) {
  require_finite(centred_rows<float>(rows, {}).rows(), *cpu::machine_pool(options.threads));
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

}  // namespace

svm_answer svmclassify(const svm_model& model, const svm_rows& rows, const run_options& options) {
  return classify_at_once(model, rows, options);
}

svm_answer svmclassify(const svm_model& model, const svm_rows_of<double>& rows, const run_options& options) {
  return classify_at_once(model, rows, options);
}

}  // namespace duomap
