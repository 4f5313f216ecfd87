// Logs the emits in the first pass of the sort engine, so that the second pass need not map again.
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

/// An emit of map, with the number of its record in the warp's share.
template <class Task>
struct logged_emit {
  result_key<typename Task::key> key;
  typename Task::reduce::value_type value;
  std::uint32_t record;
};

/// The most emits that are logged for a warp's share of a tile, which has at least 32 records, and 64 of
/// HTML. If a warp emits more, or emits bytes outside the chunk, the second pass maps the tile again.
inline constexpr unsigned most_logged = torture ? 2 : 24;

/// The logged emits of a chunk's warps, in any order; in device memory.
template <class Task>
struct emit_log {
  logged_emit<Task>* emits = nullptr;  // from (i * tile_warps + w) * most_logged on: warp w of tile i
  std::uint32_t* counts = nullptr;     // emits of each warp; more than most_logged: some are missing
};

/// Whether emits are logged. Emits under a reduction are not logged: they are sorted, and logging them takes
/// longer than mapping twice.
template <class Task>
inline constexpr bool logs_emits = duomap::detail::is_collect<typename Task::reduce>;

/// The emitter of the first pass for collecting tasks: passes each emit to `Counter`, and logs it.
template <class Task, class Counter>
class emit_logger {
  using key_type = result_key<typename Task::key>;
  using value_type = typename Task::reduce::value_type;

 public:
  /// `log`: the warp's part of the log. `count`: in shared memory, 0 at first.
  __device__ emit_logger(const chunk& part, logged_emit<Task>* log, std::uint32_t* count)
    : part_(part), log_(log), count_(count) {}

  __device__ void begin_record(std::uint32_t record) { record_ = record; }

  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
    counter_(key, value);
#if defined(__CUDA_ARCH__)
    // A count just above most_logged says that emits are missing; the count stops there and never overflows.
    if (*static_cast<volatile std::uint32_t*>(count_) > most_logged) return;
    const std::uint32_t at = atomicAdd(count_, stays(key) && stays(value) ? 1 : most_logged + 1);
    if (at < most_logged) log_[at] = {key, value, record_};
#endif
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(key_type{}, value); }

  [[nodiscard]] DUOMAP_HD const emit_space& space() const { return counter_.space(); }

 private:
  /// Whether the second pass can still read the bytes. It cannot if the bytes are in map's own memory.
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
