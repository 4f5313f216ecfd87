// What the first pass of the sort engine sees a task collect, kept so that the second need not map again.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/task.hpp"
#include "gpu/engines/sort/emit_space.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// An emit as map gave it, and the number of its record among the warp's.
template <class Task>
struct logged_emit {
  result_key<typename Task::key> key;
  typename Task::reduce::value_type value;
  std::uint32_t record;
};

/// Emits that are kept of a warp's share of a tile, which is 32 records at least, 64 of HTML. A tile with a
/// warp that emits more, or anything that does not stand in the chunk, is mapped again.
inline constexpr unsigned most_logged = torture ? 2 : 24;

/// What the warps of a chunk emit, in any order; in device memory.
template <class Task>
struct emit_log {
  logged_emit<Task>* emits = nullptr;  // of warp w of tile i from (i * tile_warps + w) * most_logged on
  std::uint32_t* counts = nullptr;     // more than most_logged when some are missing
};

/// Whether emits are kept: those that are reduced are sorted, which takes longer than to map twice.
template <class Task>
inline constexpr bool logs_emits = duomap::detail::is_collect<typename Task::reduce>;

/// What map calls in the first pass: `Counter` counts, and what is counted is kept.
template <class Task, class Counter>
class emit_logger {
  using key_type = result_key<typename Task::key>;
  using value_type = typename Task::reduce::value_type;

 public:
  /// `log`: of the warp. `count`: in shared memory, 0 at first.
  __device__ emit_logger(const chunk& part, logged_emit<Task>* log, std::uint32_t* count)
    : part_(part), log_(log), count_(count) {}

  __device__ void begin_record(std::uint32_t record) { record_ = record; }

  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
    counter_(key, value);
#if defined(__CUDA_ARCH__)
    // One too many says the same as all of them, and never overflows.
    if (*static_cast<volatile std::uint32_t*>(count_) > most_logged) return;
    const std::uint32_t at = atomicAdd(count_, stays(key) && stays(value) ? 1 : most_logged + 1);
    if (at < most_logged) log_[at] = {key, value, record_};
#endif
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(key_type{}, value); }

  [[nodiscard]] DUOMAP_HD const emit_space& space() const { return counter_.space(); }

 private:
  /// Whether it can still be read in the second pass: not if it points to map's own memory.
  template <class T>
  [[nodiscard]] __device__ bool stays(const T& emitted) const {
    if constexpr (std::same_as<T, byte_view>) {
      const auto begin = reinterpret_cast<std::uintptr_t>(part_.data);
      const auto at = reinterpret_cast<std::uintptr_t>(emitted.data);
      return emitted.size == 0 || (part_.data != nullptr && at - begin < part_.size);
    } else {
      return true;
    }
  }

  const chunk& part_;
  logged_emit<Task>* log_;
  std::uint32_t* count_;
  std::uint32_t record_ = 0;
  Counter counter_;
};

}  // namespace duomap::gpu
