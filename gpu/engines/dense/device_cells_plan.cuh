// Plans the map of a chunk with more keys than a block has room for. Each record is mapped once, and every
// emit goes to the totals in device memory.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/many_keys/key_tiles.hpp"
#include "gpu/engines/dense/path.hpp"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// The plan that maps each record once. It has the same functions as many_keys_plan.
template <class Task>
class device_cells_plan {
  using format = typename Task::format;

 public:
  /// `on` must outlive this object.
  device_cells_plan(std::uint64_t /*keys*/, dense_path /*forced*/, const device_limits& has, const stream& on)
    : has_(has), on_(on) {}

  template <bool InParameters>
  void make(const Task& task, const chunk& part) {
    threads_ = threads_of_block<format>(records_of_block(format_of(task), part, has_));
    const std::uint64_t at_once =
        blocks_of_device<format>(kernel<InParameters>(), threads_, storage_bytes<format>, has_);
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, std::max<std::uint64_t>(at_once, 1)));
  }

  [[nodiscard]] unsigned ranges() const { return 1; }
  [[nodiscard]] key_tiles<typename Task::reduce::value_type> tiles() const { return {}; }
  [[nodiscard]] unsigned copies_log2() const { return 0; }

  template <bool InParameters>
  [[nodiscard]] auto kernel() const -> void (*)(key_arguments<Task, InParameters>) {
    return map_into_device_cells<Task, InParameters>;
  }

  template <bool InParameters>
  void run(const key_arguments<Task, InParameters>& with) const {
    launch(kernel<InParameters>(), {blocks_, threads_, storage_bytes<format>, on_.get()}, with);
  }

 private:
  device_limits has_;
  const stream& on_;
  unsigned threads_ = 0;
  unsigned blocks_ = 0;
};

}  // namespace duomap::gpu
