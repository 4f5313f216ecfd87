// The moments of chunks on a device.
#pragma once

#include "apps/pca/moment_kernel.cuh"
#include "apps/pca/moments.hpp"
#include "core/chunk.hpp"
#include "gpu/dense/chunk_engine.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

/// Runs are as on the CPU where sums are reproducible, else as long as suits the device (moment_plan).
template <class Task, class T>
class moment_adder {
  using sum_type = typename Task::reduce::value_type;
  static constexpr bool fixed_runs = !std::is_same_v<sum_type, double>;

 public:
  moment_adder(const Task& task, const stream& on)
    : task_(task), on_(on), at_once_(blocks_of<true>()), at_once_unaligned_(blocks_of<false>()) {}

  void add(const chunk& resident, sum_type* totals) {
    const auto columns = static_cast<std::uint32_t>(task_.origin.size);
    const std::uint64_t rows = resident.size / (columns * sizeof(T));
    if (rows == 0) return;
    const bool aligned = columns % moment_tile<T>::vector == 0;
    const moment_plan plan =
        plan_moments<T>(columns, rows, aligned ? at_once_ : at_once_unaligned_, rows_of_run, fixed_runs);
    constexpr unsigned lines = moment_tile<T>::edge + 1;
    const std::uint64_t bytes = std::uint64_t{plan.grid()} * lines * plan.line * sizeof(sum_type);
    // What is queued uses the old one; it is released behind that.
    if (partial_.size() < bytes) partial_ = device_buffer(bytes, on_);
    const moment_arguments<T, sum_type> with{reinterpret_cast<const T*>(resident.data), rows,
                                             task_.origin.data, partial_.template as<sum_type>(), plan};
    launch(aligned ? add_moments<true, T, sum_type> : add_moments<false, T, sum_type>,
           {plan.grid(), moment_tile<T>::threads, 0, on_.get()}, with);
    const unsigned cells =
        moment_tile<T>::edge * (plan.blocks > 1 ? plan.other.tiles : plan.same.tiles);
    launch(fold_moments<T, sum_type>,
           {dim3((cells + fold_cells - 1) / fold_cells, lines, plan.blocks + plan.others()),
            dim3(fold_cells, fold_readers), 0, on_.get()},
           with, totals);
  }

 private:
  template <bool Aligned>
  [[nodiscard]] static unsigned blocks_of() {
    const auto has = device_limits::current();
    return has.multiprocessors *
           blocks_at_once(add_moments<Aligned, T, sum_type>, moment_tile<T>::threads, 0, has);
  }

  const Task& task_;
  const stream& on_;
  unsigned at_once_;
  unsigned at_once_unaligned_;
  device_buffer partial_;
};

template <class T>
class chunk_adder<moments<T>> : public moment_adder<moments<T>, T> {
  using moment_adder<moments<T>, T>::moment_adder;
};
template <class T>
class chunk_adder<deterministic<moments<T>>> : public moment_adder<deterministic<moments<T>>, T> {
  using moment_adder<deterministic<moments<T>>, T>::moment_adder;
};

}  // namespace duomap::gpu
