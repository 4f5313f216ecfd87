// How many copies of each accumulator a block keeps, and where. host safe
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace duomap::gpu {

/// Where the accumulators of dense keys are.
struct dense_placement {
  bool in_block = false;     ///< in each block's shared memory; otherwise one for each key in device memory
  unsigned copies_log2 = 0;  ///< copies in a block, as a power of two
  unsigned ranges = 1;       ///< ranges of keys, for each of which a block maps its records

  friend constexpr bool operator==(const dense_placement&, const dense_placement&) = default;
};

/// Cells that a block may have for each record it gets: with more, clearing and folding them would take
/// longer than mapping.
inline constexpr std::uint64_t most_cells_per_record = 4;

/// Ranges of keys for which a task that does little for a record is mapped again: each takes about as long as
/// reading the records, and accumulators in device memory fourteen times as long (H200).
inline constexpr unsigned most_ranges = 8;

/// The most copies that fit, up to one for each thread and as the number of records allows. Lanes that meet
/// in a copy wait for each other: eight copies are enough for integers, even if all have the same key (H200).
/// If not one copy fits, the fewest ranges of keys of which one does, up to `ranges`.
/// `cell_bytes`: of one copy of one key; `mark_bytes`: of one key; `available`: shared memory for all of
/// them; `records`: that a block gets.
[[nodiscard]] constexpr dense_placement place_dense(std::uint64_t keys, std::uint64_t cell_bytes,
                                                    std::uint64_t mark_bytes, unsigned threads,
                                                    std::uint64_t available, std::uint64_t records,
                                                    unsigned ranges = 1) {
  // With room for rounding up to 16 bytes.
  const std::uint64_t room = available < 15 ? 0 : available - 15;
  const std::uint64_t most_keys = room / (cell_bytes + mark_bytes);
  if (keys > most_keys) {
    if (most_keys == 0 || (keys - 1) / most_keys >= ranges) return {};
    return {true, 0, static_cast<unsigned>((keys - 1) / most_keys + 1)};
  }
  unsigned copies = 1;
  while (2 * copies <= threads && keys * (2 * copies * cell_bytes + mark_bytes) <= room &&
         2 * copies * keys <= most_cells_per_record * records)
    copies *= 2;
  return {true, static_cast<unsigned>(std::countr_zero(copies)), 1};
}

/// Threads of a block that gets that many numbered records: starting a thread that maps nothing takes time
/// too.
[[nodiscard]] constexpr unsigned threads_for(std::uint64_t records, unsigned most) {
  constexpr unsigned fewest = 128;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(std::bit_ceil(std::min<std::uint64_t>(records, most)), fewest, most));
}

}  // namespace duomap::gpu
