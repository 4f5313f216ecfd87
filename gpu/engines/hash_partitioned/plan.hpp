// Plans how a part of the input is reduced by key: the path and the sizes of its tables. host safe
#pragma once

#include "core/config.hpp"
#include "gpu/engines/hash_partitioned/path.hpp"

#include <cstdint>
#include <initializer_list>

namespace duomap::gpu {

/// The counts of a random sample of the emits.
struct sample_counts {
  unsigned int emits = 0;     ///< emits in the sample
  unsigned int distinct = 0;  ///< different keys in the sample
  unsigned int once = 0;      ///< keys that the sample has once
  unsigned int twice = 0;
  unsigned int most = 0;  ///< emits of the most frequent key
  unsigned int wide = 0;  ///< emits whose values need all their bits
};

struct aggregation_limits {
  std::uint64_t shared_bytes = 0;  ///< shared memory of a block
  std::uint64_t shared_per_multiprocessor = 0;
  std::uint64_t key_bytes = 4;     ///< the size of a key, 4 or 8
  std::uint64_t cell_bytes = 4;    ///< the size of a value in a block's table
  std::uint64_t queued_bytes = 8;  ///< the size of an entry of a queue, a key with a value
  bool can_replicate = true;  ///< a key may have several cells: they can be combined even if some are unused
  std::uint64_t most_emits = ~std::uint64_t{0};  ///< emits of the input, and so an upper bound for its keys
};

struct aggregation_plan {
  aggregation_path path = aggregation_path::block_table;
  std::uint64_t keys = 0;   ///< the estimated number of keys
  unsigned threads = 1024;  ///< threads of a block with a table
  unsigned slots = 0;       ///< slots of the table in shared memory
  unsigned replica_bits = 0;
  unsigned merged_slots = 0;  ///< block_table: slots of the table in device memory that all blocks fold into
  unsigned partition_bits = 0;  ///< partitioned: the number of partitions, as a power of two
  bool hot_keys = false;        ///< partitioned: the first pass reduces frequent keys
  bool narrow = false;          ///< partitioned: values are stored as integers of half their size
  unsigned slack_percent = 0;   ///< partitioned: room of a region above the mean, in percent

  friend constexpr bool operator==(const aggregation_plan&, const aggregation_plan&) = default;
};

/// Emits of a sample, and slots of the table that counts them.
inline constexpr unsigned sample_emits = 1u << 18;
inline constexpr unsigned sample_slots = 1u << 19;

/// The most frequent keys that the first pass reduces; each may stand in two slots. With cells of four bytes,
/// this table and the block's other memory let two blocks run on a multiprocessor with 227 KiB.
inline constexpr unsigned most_hot_slots = 4096;

inline constexpr unsigned most_partition_bits = 12;

/// Threads of a block of the partition pass, and bytes of each thread's emits.
inline constexpr unsigned pass_threads = 512;
inline constexpr unsigned pass_bytes_per_thread = 128;

/// Bytes of the queues of a block that has a table in shared memory.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t queue_bytes(unsigned threads, std::uint64_t queued_bytes) {
  return threads / 32 * std::uint64_t{64} * queued_bytes;
}

/// Shared memory of a block of the partition pass.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t pass_shared_bytes(unsigned partition_bits, unsigned hot_slots,
                                                                  const aggregation_limits& limits) {
  return std::uint64_t{pass_threads} * pass_bytes_per_thread + (std::uint64_t{8} << partition_bits) +
         hot_slots * (limits.key_bytes + limits.cell_bytes);
}

/// The number of slots for frequent keys that fit into a block of the partition pass.
[[nodiscard]] DUOMAP_HD constexpr unsigned hot_slots_in(const aggregation_limits& limits) {
  unsigned slots = most_hot_slots;
  while (slots > 256 && pass_shared_bytes(most_partition_bits, slots, limits) > limits.shared_bytes)
    slots /= 2;
  return slots;
}

/// Estimates the number of keys of the whole input by Chao's formula: the keys in the sample, plus once^2 /
/// (2 twice) keys that the sample missed. The estimate is a lower bound on average, and close if all keys are
/// equally frequent.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t estimate_keys(const sample_counts& seen,
                                                              std::uint64_t most_emits) {
  const double once = seen.once;
  const double unseen = seen.twice > 0 ? once * once / (2.0 * seen.twice) : once * (once - 1) / 2;
  const double all = seen.distinct + unseen;
  return all < static_cast<double>(most_emits) ? static_cast<std::uint64_t>(all) : most_emits;
}

/// Whether some keys are far more frequent than others. The sample then misses many rare keys, and the
/// frequent keys would overflow their partitions.
[[nodiscard]] DUOMAP_HD constexpr bool is_skewed(const sample_counts& seen, std::uint64_t keys) {
  return seen.most >= 32 && std::uint64_t{seen.most} * keys > 8 * std::uint64_t{seen.emits};
}

/// Threads of a block with a table: `most`, or fewer if values are large, so that the queues leave the table
/// at least a third of the memory.
[[nodiscard]] DUOMAP_HD constexpr unsigned table_threads(unsigned most, std::uint64_t shared_bytes,
                                                         const aggregation_limits& limits) {
  unsigned threads = most;
  while (threads > 32 && 3 * queue_bytes(threads, limits.queued_bytes) > 2 * shared_bytes) threads /= 2;
  return threads;
}

/// Slots of a table that fit into `shared_bytes` beside the queues of `threads` threads; a multiple of 64.
[[nodiscard]] DUOMAP_HD constexpr unsigned slots_in(std::uint64_t shared_bytes, unsigned threads,
                                                    unsigned replica_bits, const aggregation_limits& limits) {
  const std::uint64_t fixed = queue_bytes(threads, limits.queued_bytes) + 64;
  if (shared_bytes <= fixed) return 0;
  const std::uint64_t slots =
      (shared_bytes - fixed) / (limits.key_bytes + (limits.cell_bytes << replica_bits)) / 64 * 64;
  return static_cast<unsigned>(slots < 24576 ? slots : 24576);
}

[[nodiscard]] DUOMAP_HD constexpr unsigned power_of_two_from(std::uint64_t least, unsigned smallest,
                                                             unsigned largest) {
  unsigned power = smallest;
  while (power < least && power < largest) power *= 2;
  return power;
}

/// Plans one table for each multiprocessor, with four slots for each expected key, because the time grows
/// with the load: with 10,000 keys (2^28 pairs, H200) an experiment took 0.78 ms at a load of 0.41, 0.90 at
/// 0.49, and 1.28 at 0.61. The remaining room holds up to 8 cells for each key.
[[nodiscard]] DUOMAP_HD constexpr aggregation_plan plan_block_table(std::uint64_t keys,
                                                                    const aggregation_limits& limits) {
  aggregation_plan plan;
  plan.path = aggregation_path::block_table;
  plan.keys = keys;
  plan.threads = table_threads(1024, limits.shared_bytes, limits);
  const unsigned wanted = power_of_two_from(4 * keys, 1024, 1u << 16);
  for (plan.replica_bits = limits.can_replicate ? 3 : 0; plan.replica_bits > 0; --plan.replica_bits) {
    if (slots_in(limits.shared_bytes, plan.threads, plan.replica_bits, limits) >= wanted) break;
  }
  const unsigned room = slots_in(limits.shared_bytes, plan.threads, plan.replica_bits, limits);
  plan.slots = wanted < room ? wanted : room;
  plan.merged_slots = power_of_two_from(4 * keys, 1u << 15, 1u << 20);
  return plan;
}

/// The square root, rounded down to an integer.
[[nodiscard]] DUOMAP_HD constexpr unsigned root(std::uint64_t square) {
  std::uint64_t found = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit /= 2) {
    if ((found + bit) * (found + bit) <= square) found += bit;
  }
  return static_cast<unsigned>(found);
}

/// Plans 256 to 4096 partitions, the fewest that leave their tables half empty: in an experiment a pass over
/// 2^28 pairs took 1.6 ms with 128 partitions, and 2.8 with 2048 (H200). Two blocks run on a multiprocessor
/// if their tables are large enough, else one block with a table of twice the size.
[[nodiscard]] DUOMAP_HD constexpr aggregation_plan plan_partitions(const sample_counts& seen,
                                                                   std::uint64_t keys,
                                                                   const aggregation_limits& limits) {
  aggregation_plan plan;
  plan.path = aggregation_path::partitioned;
  plan.keys = keys;
  plan.hot_keys = limits.can_replicate && is_skewed(seen, keys);
  plan.narrow = seen.wide == 0;
  // If ten million keys have Zipf's frequencies, the estimate finds only one key in 13.
  std::uint64_t expected = is_skewed(seen, keys) ? 12 * keys : keys + keys / 10;
  if (expected > limits.most_emits) expected = limits.most_emits;
  const std::uint64_t half_shared = limits.shared_per_multiprocessor / 2 - 1024;
  const std::uint64_t shared[] = {half_shared < limits.shared_bytes ? half_shared : limits.shared_bytes,
                                  limits.shared_bytes};
  const auto slack = [&] {
    // Five standard deviations of the number of keys in a partition, and more if the keys differ in
    // frequency.
    const std::uint64_t in_a_partition = keys >> plan.partition_bits;
    return (is_skewed(seen, keys) ? 40 : 10) + 500 / (1 + root(in_a_partition));
  };
  unsigned most_bits = most_partition_bits;
  const unsigned hot_slots = plan.hot_keys ? hot_slots_in(limits) : 0;
  while (most_bits > 8 && pass_shared_bytes(most_bits, hot_slots, limits) > limits.shared_bytes) --most_bits;
  for (plan.partition_bits = 8; plan.partition_bits <= most_bits; ++plan.partition_bits) {
    plan.slack_percent = slack();
    for (unsigned i = 0; i < 2; ++i) {
      plan.threads = table_threads(512u << i, shared[i], limits);
      plan.slots = slots_in(shared[i], plan.threads, 0, limits);
      if ((std::uint64_t{plan.slots} << plan.partition_bits) * 48 >= expected * 100) return plan;
    }
  }
  plan.partition_bits = most_bits;  // the largest tables; emits that find no place in them are spilled
  return plan;
}

/// Makes the plan for a sample. `forced` is a path that the caller requires, or automatic.
[[nodiscard]] DUOMAP_HD constexpr aggregation_plan choose_plan(const sample_counts& seen,
                                                               const aggregation_limits& limits,
                                                               aggregation_path forced) {
  const std::uint64_t keys = estimate_keys(seen, limits.most_emits);
  const aggregation_plan one_table = plan_block_table(keys, limits);
  if (forced == aggregation_path::block_table) return one_table;
  const aggregation_plan partitions = plan_partitions(seen, keys, limits);
  const bool can_partition =
      pass_shared_bytes(partitions.partition_bits, partitions.hot_keys ? hot_slots_in(limits) : 0, limits) <=
      limits.shared_bytes;
  // With 64-bit sums, a table of 10,000 keys at a load of 0.6 is still faster than partitions.
  const bool fits = 8 * keys <= 5 * std::uint64_t{one_table.slots};
  if (!can_partition || (forced != aggregation_path::partitioned && fits)) return one_table;
  return partitions;
}

}  // namespace duomap::gpu
