// The settings of a GPU backend, which change its speed and its limits and never its answer. host safe
#pragma once

#include "core/engine_kind.hpp"
#include "gpu/engines/dense/path.hpp"
#include "gpu/engines/hash_partitioned/path.hpp"
#include "gpu/feed/feed_options.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace duomap {

class memory_budget;

}  // namespace duomap

namespace duomap::gpu {

/// The CPUs near each device, by device_info::index.
using near_cores = std::map<int, std::vector<unsigned>>;

/// By default the backend chooses every setting by the device. Small values let tests reach limits.
struct backend_options {
  /// The engine to use; none: duomap chooses one for the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// Device memory of the table of keys, in bytes; 0: the free memory. When the table is full, the engine
  /// hands its contents to the host and clears it. For the sort engine, the memory of the emits of a piece of
  /// a chunk: less memory means more pieces.
  std::uint64_t table_bytes = 0;
  /// Distinct keys that the table has room for at first; 0: enough that English text does not make it grow.
  std::uint64_t first_keys = 0;
  /// Tables of each block in shared memory, one for each group of its warps (the multi-group scheme of Chen &
  /// Agrawal, HPDC 2012, section 3.2), at most one for each warp. 0: no tables; none: one table.
  std::optional<unsigned> block_tables = std::nullopt;
  /// Slots of each block table, a multiple of four; 0: chosen by the device's shared memory.
  unsigned block_slots = 0;
  /// Blocks per multiprocessor; 0: chosen by the device.
  unsigned blocks_per_multiprocessor = 0;
  /// The settings for bringing input to the device.
  feed_options feed = {};
  /// The lists that make_backends() copies to feed.cores of each device; null: feed.cores stays.
  const near_cores* cores_near = nullptr;
  /// The run's budget of host memory; null: no limit.
  std::shared_ptr<memory_budget> memory = nullptr;
  /// The hash bits that tables use; fewer bits make hashes collide.
  std::uint64_t hash_mask = ~std::uint64_t{0};
  /// The path by which the hash engine reduces numbered records by key (gpu/engines/hash_partitioned/).
  aggregation_path path = aggregation_path::automatic;
  /// The path by which the dense engine reduces by more keys than a block has room for
  /// (gpu/engines/dense/many_keys/).
  dense_path dense = dense_path::automatic;
};

}  // namespace duomap::gpu
