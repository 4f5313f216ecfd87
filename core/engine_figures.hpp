// What a GPU's engine did, beside what every executor reports.
#pragma once

#include <cstdint>

namespace duomap {

/// Zeros are of what the engine does not do. Seconds are the device's, and overlap copies.
struct engine_figures {
  /// hash: emits that found no place in a block's table in shared memory and went to the table in
  /// device memory one by one.
  std::uint64_t past_block_tables = 0;
  double write_seconds = 0;   ///< sort: mapping again, to write what the first time only counted
  double group_seconds = 0;   ///< sort: sorting emits by key and finding where each key begins
  double reduce_seconds = 0;  ///< sort: reducing the values of each key
};

}  // namespace duomap
