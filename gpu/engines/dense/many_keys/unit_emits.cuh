// Reads numbered records, and keeps their emits in registers, for the pass that partitions emits by dense
// key.
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/device_task.cuh"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/dense/device_cells.cuh"
#include "gpu/engines/dense/many_keys/key_partition.hpp"
#include "gpu/engines/dense/record_loop.cuh"
#include "gpu/engines/dense/row_unit.hpp"

#include <concepts>
#include <cstdint>
#include <cstring>

namespace duomap::gpu {

namespace detail {

/// Records that a thread reads at a time: rows in whole 16-byte words if the compiler knows their width, else
/// one record.
template <class Task>
[[nodiscard]] consteval unsigned records_of_unit() {
  if constexpr (has_row_units<Task>) {
    return row_unit<Task>::rows;
  } else {
    return 1;
  }
}
template <class Task>
[[nodiscard]] consteval unsigned quads_of_unit() {
  if constexpr (has_row_units<Task>) {
    return row_unit<Task>::bytes / 16;
  } else {
    return 0;
  }
}

/// The number of emits of a row unit that stay in registers: the task's promise, else one for each record.
template <class Task>
inline constexpr unsigned emits_of_unit = records_of_unit<Task>() *
                                          static_cast<unsigned>(max_emits_of<Task> > 0 ? max_emits_of<Task>
                                                                                       : 1);

/// Register bytes for the emits of a thread, and 16-byte words for rows being loaded.
inline constexpr unsigned partition_emit_bytes = 128;
inline constexpr unsigned partition_quads = 8;

template <class Task>
[[nodiscard]] consteval unsigned units_of_thread() {
  using value = typename Task::reduce::value_type;
  constexpr unsigned by_emits =
      partition_emit_bytes / (emits_of_unit<Task> * (4 + (sizeof(value) < 4 ? 4 : sizeof(value))));
  constexpr unsigned by_quads =
      quads_of_unit<Task>() > 0 ? partition_quads / quads_of_unit<Task>() : partition_quads;
  return by_emits < by_quads ? by_emits : by_quads;
}

}  // namespace detail

/// Tasks with dense keys whose emits can be partitioned: numbered records, small values, a reduction that
/// commutes. Tasks with broadcast arrays are left out, because their map probably needs the registers.
template <class Task>
concept partitions_keys =
    std::same_as<typename Task::key, dense> && dense_task<Task> && !order_matters<Task> &&
    !text_format<typename Task::format> && !has_broadcast<Task> && reduction<typename Task::reduce> &&
    std::default_initializable<typename Task::reduce::value_type> &&
    sizeof(typename Task::reduce::value_type) <= 16 && (detail::units_of_thread<Task>() > 0);

/// The emitter of a row unit: keeps the partition and the place of each emit's key. Emits that exceed the
/// room in registers go to device memory.
template <class Task>
class unit_emitter {
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;

 public:
  static constexpr unsigned most = detail::emits_of_unit<Task>;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  struct context {
    key_partition partition;
    std::uint64_t keys;
    const device_cells<reduce_type>& cells;
    const reduce_type& reduce;
    unsigned* bad_keys;
  };

  std::uint32_t to[most]{};  ///< the partition in the upper half, the place in the lower
  value_type values[most]{};
  unsigned count = 0;

  __device__ explicit unit_emitter(const context& with) : with_(with) {}

  DUOMAP_HD void operator()(std::uint64_t key, const emit_type<reduce_type>& emitted) {
#if defined(__CUDA_ARCH__)
    const value_type& value = value_of_emit(with_.reduce, emitted);
    // An emit with a too large key counts too: the compiler then often knows the number of emits.
    const bool is_bad = key >= with_.keys;
    if (is_bad) *with_.bad_keys = 1;
    const auto k = static_cast<std::uint32_t>(key);
    const std::uint32_t where =
        is_bad ? nowhere : with_.partition.partition_of(k) << 16 | with_.partition.place_of(k);
    // After the loop is unrolled all indices are constants, so that the arrays are registers.
#pragma unroll
    for (unsigned i = 0; i < most; ++i) {
      if (count == i) {
        to[i] = where;
        values[i] = value;
      }
    }
    if (count < most) {
      ++count;
    } else if (!is_bad) {
      fold_elsewhere(with_, key, value);
    }
#endif
  }

 private:
  __noinline__ __device__ static void fold_elsewhere(const context& with, std::uint64_t key,
                                                     const value_type& value) {
    with.cells.fold(key, value, with.reduce);
  }

  const context& with_;
};

/// Reads the row units of a chunk by their number.
template <class Task>
class unit_reader {
  using format_type = typename Task::format;

 public:
  static constexpr unsigned records = detail::records_of_unit<Task>();
  static constexpr bool reads_ahead = has_row_units<Task>;
  struct words {
    uint4 quad[reads_ahead ? detail::quads_of_unit<Task>() : 1];
  };

  __device__ unit_reader(const format_type& format, const chunk& part)
    : part_(part), numbered_(format, part) {}

  __device__ void load(std::uint64_t unit, words& into) const {
    if constexpr (reads_ahead) {
      constexpr unsigned quads = detail::quads_of_unit<Task>();
      const auto* const from = reinterpret_cast<const uint4*>(part_.data) + unit * quads;
#pragma unroll
      for (unsigned q = 0; q < quads; ++q) into.quad[q] = __ldcs(from + q);
    }
  }

  __device__ void map(const Task& task, std::uint64_t unit, const words& read,
                      unit_emitter<Task>& emit) const {
    if constexpr (reads_ahead) {
      using element = typename row_unit<Task>::element;
      constexpr unsigned width = row_unit<Task>::width;
      element values[records * width];
      memcpy(values, read.quad, row_unit<Task>::bytes);
      const std::uint64_t index = numbered_.first_index() + unit * records;
      if constexpr (maps_batch<Task, records>) {
        row<element> several[records];
#pragma unroll
        for (unsigned r = 0; r < records; ++r) several[r] = {values + r * width, width, index + r};
        task.map_batch(several, emit);
      } else {
#pragma unroll
        for (unsigned r = 0; r < records; ++r)
          task.map(row<element>{values + r * width, width, index + r}, emit);
      }
    } else {
      task.map(numbered_[unit], emit);
    }
  }

  template <class Emit>
  __device__ void map_one(const Task& task, std::uint64_t record, Emit& emit) const {
    task.map(numbered_[record], emit);
  }

 private:
  const chunk& part_;
  numbered_records<format_type> numbered_;
};

}  // namespace duomap::gpu
