// How a part of the input is reduced by key: which path, and how large its tables are. host safe
#pragma once

#include "core/config.hpp"
#include "gpu/engines/hash_partitioned/path.hpp"

#include <cstdint>
#include <initializer_list>

namespace duomap::gpu {

/// What a random sample of the emits showed.
struct sample_counts {
  unsigned int emits = 0;     ///< in the sample
  unsigned int distinct = 0;  ///< keys in it
  unsigned int once = 0;      ///< keys that were seen once
  unsigned int twice = 0;
  unsigned int most = 0;  ///< emits of the most frequent key
  unsigned int wide = 0;  ///< emits whose values need all their bits
};

/// What the kernels may use.
struct aggregation_limits {
  std::uint64_t shared_bytes = 0;  ///< of a block
  std::uint64_t shared_per_multiprocessor = 0;
  std::uint64_t key_bytes = 4;     ///< 4 or 8
  std::uint64_t cell_bytes = 4;    ///< a value in a block's table
  std::uint64_t queued_bytes = 8;  ///< a key with a value in a queue
  bool can_replicate = true;       ///< several cells of a key can be combined, whether used or not
  std::uint64_t most_emits = ~std::uint64_t{0};  ///< of the input: there are no more keys
};

struct aggregation_plan {
  aggregation_path path = aggregation_path::block_table;
  std::uint64_t keys = 0;   ///< the estimate
  unsigned threads = 1024;  ///< of a block with a table
  unsigned slots = 0;       ///< of such a table
  unsigned replica_bits = 0;
  unsigned merged_slots = 0;    ///< block_table: of the table in device memory in which the blocks' meet
  unsigned partition_bits = 0;  ///< partitioned
  bool hot_keys = false;        ///< partitioned: frequent keys are reduced before the partition
  bool narrow = false;          ///< partitioned: values are stored as integers of half their size
  unsigned slack_percent = 0;   ///< partitioned: room of a region beyond the mean

  friend constexpr bool operator==(const aggregation_plan&, const aggregation_plan&) = default;
};

/// Emits that a sample looks at, and slots of the table it counts them in.
inline constexpr unsigned sample_emits = 1u << 18;
inline constexpr unsigned sample_slots = 1u << 19;

/// Frequent keys that are reduced before the partition at most, two choices of a slot for each. With cells of
/// four bytes, their table and the rest of a block leave room for two blocks on a multiprocessor with 227
/// KiB.
inline constexpr unsigned most_hot_slots = 4096;

/// 4096 partitions.
inline constexpr unsigned most_partition_bits = 12;

/// Threads of a block of the partition pass, and bytes of the emits that a thread holds.
inline constexpr unsigned pass_threads = 512;
inline constexpr unsigned pass_bytes_per_thread = 128;

/// Bytes of the queues of a block with a table.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t queue_bytes(unsigned threads, std::uint64_t queued_bytes) {
  return threads / 32 * std::uint64_t{64} * queued_bytes;
}

/// Shared memory of a block of the partition pass.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t pass_shared_bytes(unsigned partition_bits, unsigned hot_slots,
                                                                  const aggregation_limits& limits) {
  return std::uint64_t{pass_threads} * pass_bytes_per_thread + (std::uint64_t{8} << partition_bits) +
         hot_slots * (limits.key_bytes + limits.cell_bytes);
}

/// Slots for frequent keys that a block of the partition pass has room for.
[[nodiscard]] DUOMAP_HD constexpr unsigned hot_slots_in(const aggregation_limits& limits) {
  unsigned slots = most_hot_slots;
  while (slots > 256 && pass_shared_bytes(most_partition_bits, slots, limits) > limits.shared_bytes)
    slots /= 2;
  return slots;
}

/// Keys of the whole input by Chao's estimate: those seen, and once^2 / (2 twice) that were not. A lower
/// bound on average; close when all keys are equally frequent.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t estimate_keys(const sample_counts& seen,
                                                              std::uint64_t most_emits) {
  const double once = seen.once;
  const double unseen = seen.twice > 0 ? once * once / (2.0 * seen.twice) : once * (once - 1) / 2;
  const double all = seen.distinct + unseen;
  return all < static_cast<double>(most_emits) ? static_cast<std::uint64_t>(all) : most_emits;
}

/// Whether some keys are far more frequent than others: then many keys of the input are too rare for the
/// sample, and a few would overflow their partitions.
[[nodiscard]] DUOMAP_HD constexpr bool is_skewed(const sample_counts& seen, std::uint64_t keys) {
  return seen.most >= 32 && std::uint64_t{seen.most} * keys > 8 * std::uint64_t{seen.emits};
}

/// Threads of a block with a table, `most` or fewer: large values need large queues, which leave the table a
/// third of the memory at least.
[[nodiscard]] DUOMAP_HD constexpr unsigned table_threads(unsigned most, std::uint64_t shared_bytes,
                                                         const aggregation_limits& limits) {
  unsigned threads = most;
  while (threads > 32 && 3 * queue_bytes(threads, limits.queued_bytes) > 2 * shared_bytes) threads /= 2;
  return threads;
}

/// Slots of a table of `threads` threads that `shared_bytes` have room for; a multiple of 64.
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

/// One table per multiprocessor. It gets four slots for each expected key, since time follows the load: for
/// 10,000 keys (2^28 pairs, H200) an experiment took 0.78 ms at a load of 0.41, 0.90 at 0.49, 1.28 at 0.61.
/// What room is left holds more cells for each key, at most 8.
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

/// The largest number whose square is at most `square`.
[[nodiscard]] DUOMAP_HD constexpr unsigned root(std::uint64_t square) {
  std::uint64_t found = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit /= 2) {
    if ((found + bit) * (found + bit) <= square) found += bit;
  }
  return static_cast<unsigned>(found);
}

/// 256 to 4096 partitions, so few that their tables are filled to a half: in an experiment a pass over 2^28
/// pairs took 1.6 ms with 128 partitions, 2.8 with 2048 (H200). Two blocks on a multiprocessor where their
/// tables suffice, one of twice the size where not.
[[nodiscard]] DUOMAP_HD constexpr aggregation_plan plan_partitions(const sample_counts& seen,
                                                                   std::uint64_t keys,
                                                                   const aggregation_limits& limits) {
  aggregation_plan plan;
  plan.path = aggregation_path::partitioned;
  plan.keys = keys;
  plan.hot_keys = limits.can_replicate && is_skewed(seen, keys);
  plan.narrow = seen.wide == 0;
  // Of keys with Zipf's frequencies the estimate sees a thirteenth when there are ten million.
  std::uint64_t expected = is_skewed(seen, keys) ? 12 * keys : keys + keys / 10;
  if (expected > limits.most_emits) expected = limits.most_emits;
  const std::uint64_t half_shared = limits.shared_per_multiprocessor / 2 - 1024;
  const std::uint64_t shared[] = {half_shared < limits.shared_bytes ? half_shared : limits.shared_bytes,
                                  limits.shared_bytes};
  const auto slack = [&] {
    // Five standard deviations of the number of keys in a partition. More where keys differ in frequency.
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
  plan.partition_bits = most_bits;  // the largest tables; what finds no place there is folded elsewhere
  return plan;
}

/// The plan for a sample. `forced` is a path that the caller insists on, or automatic.
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
  // 10,000 keys at a load of 0.6, with 64-bit sums, are still faster so than in partitions.
  const bool fits = 8 * keys <= 5 * std::uint64_t{one_table.slots};
  if (!can_partition || (forced != aggregation_path::partitioned && fits)) return one_table;
  return partitions;
}

}  // namespace duomap::gpu
