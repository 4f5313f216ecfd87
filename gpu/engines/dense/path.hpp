// Ways of the dense engine to reduce by more keys than fit into a block's shared memory. host safe
#pragma once

namespace duomap::gpu {

/// Ways to reduce by many dense keys. They differ in speed only and give the same answer.
enum class dense_path {
  automatic,     ///< chosen by the number of keys and of records
  device_cells,  ///< each emit goes to its accumulator in device memory
  ranges,        ///< each block has accumulators for one range of keys, and maps the records of all ranges
  partitions,    ///< emits are first partitioned by key, and a block then has accumulators for one partition
};

}  // namespace duomap::gpu
