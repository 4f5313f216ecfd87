// Adds up the moments of rows on a GPU, by kernels that add up a chunk's products in tiles of registers.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "gpu/engines/custom/engine.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/ready_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/event_queue.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/pca/moment_kernel.cuh"
#include "numeric/pca/moments.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The engine for moments<T, false> and for deterministic<moments<T, true>>. The second task has the same
/// runs of rows as on the CPU. The first has runs whose length suits the device (moment_plan). Totals stay on
/// the device until they are committed. gpu/engines/engine.hpp describes the functions.
template <class Task, class T>
class moment_engine : public engine {
  using sum_type = typename Task::reduce::value_type;
  static constexpr bool fixed_runs = !std::is_same_v<sum_type, double>;
  static constexpr unsigned lines = moment_tile<T>::edge + 1;

 public:
  /// Works on the calling thread's current device.
  moment_engine(const Task& task, const backend_options& /*options*/, const engine_surroundings& with,
                host_partials<Task>& host)
    : task_(task),
      on_(with.compute),
      host_(host),
      columns_(static_cast<std::uint32_t>(task.origin.size)),
      aligned_(columns_ % moment_tile<T>::vector == 0),
      at_once_(blocks_that_run()),
      totals_(task.key_count() * sizeof(sum_type), on_) {
    forget();
  }

  ~moment_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::custom; }

  void enqueue(const chunk& resident) override {
    const std::uint64_t rows = resident.size / (columns_ * sizeof(T));
    if (rows > 0) add(reinterpret_cast<const T*>(resident.data), rows);
    open_.record(on_);
  }

  void finish_oldest() override { open_.wait_for_oldest(); }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    if (!holds_) return;
    std::vector<sum_type> sums(task_.key_count());
    check(cudaMemcpyAsync(sums.data(), totals_.template as<void>(), totals_.size(), cudaMemcpyDeviceToHost,
                          on_.get()),
          "copying moments");
    on_.wait();
    dense_partial<sum_type> part(sums.size());
    const auto reduction = reduction_of(task_);
    for (std::size_t i = 0; i < sums.size(); ++i) part.reduce(i, sums[i], reduction);
    host_.push_back(std::make_unique<ready_partial<Task>>(std::move(part)));
    forget();
  }

  void forget() override {
    // Zero bytes stand for an empty sum, both in float64 and in reproducible sums.
    check(cudaMemsetAsync(totals_.template as<void>(), 0, totals_.size(), on_.get()), "clearing moments");
    holds_ = false;
  }

 private:
  [[nodiscard]] auto kernel() const {
    return aligned_ ? add_moments<true, T, sum_type> : add_moments<false, T, sum_type>;
  }

  [[nodiscard]] unsigned blocks_that_run() const {
    const auto has = device_limits::current();
    return has.multiprocessors * blocks_at_once(kernel(), moment_tile<T>::threads, 0, has);
  }

  void add(const T* data, std::uint64_t rows) {
    const moment_plan plan = plan_moments<T>(columns_, rows, at_once_, rows_of_run, fixed_runs);
    const std::uint64_t bytes = std::uint64_t{plan.grid()} * lines * plan.line * sizeof(sum_type);
    if (partial_.size() < bytes) partial_ = device_buffer(bytes, on_);
    const moment_arguments<T, sum_type> with{data, rows, task_.origin.data, partial_.template as<sum_type>(),
                                             plan};
    launch(kernel(), {plan.grid(), moment_tile<T>::threads, 0, on_.get()}, with);
    const unsigned cells = moment_tile<T>::edge * (plan.blocks > 1 ? plan.other.tiles : plan.same.tiles);
    launch(fold_moments<T, sum_type>,
           {dim3((plan.blocks + plan.others()) * ((cells + fold_cells - 1) / fold_cells), lines),
            dim3(fold_cells, fold_readers), 0, on_.get()},
           with, totals_.template as<sum_type>());
    holds_ = true;
  }

  const Task& task_;
  const stream& on_;
  host_partials<Task>& host_;
  std::uint32_t columns_;
  bool aligned_;
  unsigned at_once_;
  device_buffer totals_;
  device_buffer partial_;
  bool holds_ = false;
  event_queue open_;
};

template <class T>
class custom_engine<moments<T, false>> final : public moment_engine<moments<T, false>, T> {
  using moment_engine<moments<T, false>, T>::moment_engine;
};
template <class T>
class custom_engine<deterministic<moments<T, true>>> final
  : public moment_engine<deterministic<moments<T, true>>, T> {
  using moment_engine<deterministic<moments<T, true>>, T>::moment_engine;
};

}  // namespace duomap::gpu
