// Chooses the place of the dense engine's accumulators, and the number of their copies. host safe
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace duomap::gpu {

/// The place of the accumulators of dense keys.
struct dense_placement {
  bool in_block = false;     ///< the accumulators are in each block's shared memory, else in device memory
  unsigned copies_log2 = 0;  ///< copies in a block, as a power of two

  friend constexpr bool operator==(const dense_placement&, const dense_placement&) = default;
};

/// The most cells of a block for each of its records: with more, clearing and folding cells would take longer
/// than mapping.
inline constexpr std::uint64_t most_cells_per_record = 4;

/// The most keys for which a block has room: `cell_bytes` bytes for each key, and, if there are marks, one
/// bit.
[[nodiscard]] constexpr std::uint64_t most_keys_in_block(std::uint64_t cell_bytes, bool has_marks,
                                                         std::uint64_t available) {
  // Leaves room for rounding up: marks to whole words, and all to 16 bytes.
  const std::uint64_t room = available < 19 ? 0 : available - 19;
  return has_marks ? room * 8 / (8 * cell_bytes + 1) : room / cell_bytes;
}

/// Chooses the most copies that fit, at most one for each thread, and fewer for few records. Lanes that use
/// the same copy wait for each other. Eight copies are enough for integers, even if all emits have the same
/// key (H200).
/// `cell_bytes`: bytes of one copy of one key; `has_marks`: whether each key has a mark; `available`: shared
/// memory for all cells; `records`: the records of a block.
[[nodiscard]] constexpr dense_placement place_dense(std::uint64_t keys, std::uint64_t cell_bytes,
                                                    bool has_marks, unsigned threads, std::uint64_t available,
                                                    std::uint64_t records) {
  if (keys > most_keys_in_block(cell_bytes, has_marks, available)) return {};
  unsigned copies = 1;
  while (2 * copies <= threads && keys <= most_keys_in_block(2 * copies * cell_bytes, has_marks, available) &&
         2 * copies * keys <= most_cells_per_record * records)
    copies *= 2;
  return {true, static_cast<unsigned>(std::countr_zero(copies))};
}

/// Threads of a block with `records` numbered records. Fewer for few records, because starting a thread that
/// maps nothing takes time too.
[[nodiscard]] constexpr unsigned threads_for(std::uint64_t records, unsigned most) {
  constexpr unsigned fewest = 128;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(std::bit_ceil(std::min<std::uint64_t>(records, most)), fewest, most));
}

}  // namespace duomap::gpu
