// The paths by which the hash engine can reduce numbered records by key. host safe
#pragma once

namespace duomap::gpu {

/// Ways to reduce numbered records by key. They differ in speed only and give the same answer.
enum class aggregation_path {
  automatic,    ///< chosen by a sample of the input
  general,      ///< small tables in the blocks and one in device memory, as for text
  block_table,  ///< one large table in the shared memory of each multiprocessor: few keys
  partitioned,  ///< many keys: emits are partitioned by hash, and each partition has such a table
};

}  // namespace duomap::gpu
