// The ways in which the dense engine can reduce by more keys than a block's shared memory has room for.
// host safe
#pragma once

namespace duomap::gpu {

/// A matter of speed: every path gives every task's answer.
enum class dense_path {
  automatic,     ///< from the number of keys and of records
  device_cells,  ///< each emit goes to its accumulator in device memory
  ranges,        ///< each block has accumulators for a range of the keys, and maps records of others too
  partitions,    ///< emits are partitioned by key first, then a block has accumulators for a partition
};

}  // namespace duomap::gpu
