// The ways in which the hash engine can reduce numbered records by key. host safe
#pragma once

namespace duomap::gpu {

/// A matter of speed: every path gives every task's answer.
enum class aggregation_path {
  automatic,    ///< from a sample of the input
  general,      ///< the table in device memory behind small ones in the blocks, as for text
  block_table,  ///< one large table in the shared memory of each multiprocessor: few keys
  partitioned,  ///< emits are partitioned by hash first, then each partition gets such a table: many keys
};

}  // namespace duomap::gpu
