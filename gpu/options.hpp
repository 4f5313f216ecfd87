// Settings of a GPU backend that nobody needs for a right answer. host safe
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

class collect_budget;

}  // namespace duomap

namespace duomap::gpu {

/// The CPUs near devices, by device_info::index.
using near_cores = std::map<int, std::vector<unsigned>>;

/// All defaults are chosen from the device. The small values are for tests of what happens at limits.
struct backend_options {
  /// The engine to use; none: chosen for the task.
  std::optional<engine_kind> engine = std::nullopt;
  /// Device memory that the table of keys may take, in bytes; 0: what is free. When it is full, its contents
  /// are handed to the host and it starts anew. For the sort engine, what the emits of a piece of a chunk may
  /// take: the less, the more pieces.
  std::uint64_t table_bytes = 0;
  /// Distinct keys the table has room for at first; 0: enough that English text does not make it grow.
  std::uint64_t first_keys = 0;
  /// Tables of each block in shared memory, one for each group of its warps (the multi-group scheme of Chen &
  /// Agrawal, HPDC 2012, section 3.2); 0: no table there; none: one. At most one for each warp.
  std::optional<unsigned> block_tables = std::nullopt;
  /// Slots of each of these tables, a multiple of four; 0: by architecture.
  unsigned block_slots = 0;
  /// Blocks per multiprocessor; 0: by architecture.
  unsigned blocks_per_multiprocessor = 0;
  /// How input is brought to the device.
  feed_options feed = {};
  /// Copied by make_backends() into the feed.cores of each device; none: they stay as they are.
  const near_cores* cores_near = nullptr;
  /// What a task that collects may take of the host's memory; null: no limit.
  std::shared_ptr<collect_budget> collected = nullptr;
  /// Hash bits that tables may use; fewer bits make hashes collide.
  std::uint64_t hash_mask = ~std::uint64_t{0};
  /// How the hash engine reduces numbered records by key
  /// (gpu/engines/hash_partitioned/).
  aggregation_path path = aggregation_path::automatic;
  /// How the dense engine reduces by more keys than a block has room for (gpu/engines/dense/many_keys/).
  dense_path dense = dense_path::automatic;
};

}  // namespace duomap::gpu
