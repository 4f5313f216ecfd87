// Reduces a part of a chunk to a list: in one table for each multiprocessor, or in partitions, as a sample of
// its records advises.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/hash/field_cell.hpp"
#include "gpu/engines/hash_partitioned/block_aggregate.cuh"
#include "gpu/engines/hash_partitioned/bucket_table.cuh"
#include "gpu/engines/hash_partitioned/fold_records.cuh"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/hash_partitioned/pair_list.cuh"
#include "gpu/engines/hash_partitioned/partition_aggregate.cuh"
#include "gpu/engines/hash_partitioned/partition_pass.cuh"
#include "gpu/engines/hash_partitioned/path.hpp"
#include "gpu/engines/hash_partitioned/plan.hpp"
#include "gpu/engines/hash_partitioned/sample.cuh"
#include "gpu/engines/hash_partitioned/slot_finder.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace duomap::gpu {

/// Reduces the parts of chunks, one after the other, and keeps its buffers for the next part. A part is a run
/// of records of one chunk, not a partition of keys. Used by the engine's thread, with one stream.
template <aggregation_task Task>
class part_reducer {
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using bits = key_bits<typename Task::key>;
  using entry = key_value<bits, value_type>;
  using narrow_type = typename narrow<value_type>::type;
  static constexpr bool can_narrow = !std::is_same_v<narrow_type, value_type>;
  using merged_cell = typename merged_table<bits, reduce_type>::cell;
  using hot_cell = typename hot_table<bits, reduce_type>::cell;

 public:
  using list_type = pair_list<bits, value_type>;

  /// The list's entries beyond the part's emits. Frequent keys, which may come from the sample of another
  /// part, take entries too.
  static constexpr std::uint64_t spare_entries = most_hot_slots;
  /// An upper bound, in bytes, of the memory that does not grow with the parts.
  static constexpr std::uint64_t fixed_bytes = sample_slots * (sizeof(bits) + 4) + (8 << 20);

  /// Works on the calling thread's current device. `on` must outlive this object.
  part_reducer(const Task& task, aggregation_path path, const stream& on)
    : task_(task), format_(format_of(task)), path_(path), on_(on) {
    const auto has = device_limits::current();
    multiprocessors_ = has.multiprocessors;
    constexpr std::uint64_t static_bytes = 512;  // more than any kernel's static shared memory
    limits_ = {.shared_bytes = has.shared_per_block - static_bytes,
               .shared_per_multiprocessor = has.shared_per_multiprocessor,
               .key_bytes = sizeof(bits),
               .cell_bytes = sizeof(typename bucket_table<bits, reduce_type>::cell),
               .queued_bytes = sizeof(queued_entry<bits, value_type>),
               .can_replicate = !hot_cell::has_lock};
    allow_all_shared_memory(block_aggregate<Task>, has);
    allow_partitions<value_type>(has);
    if constexpr (can_narrow) allow_partitions<narrow_type>(has);
  }

  /// Queues the reduction of `count` records. `into` must have room for their emits and spare_entries more,
  /// and its counts must be zero.
  /// @throws device_out_of_memory
  void reduce(const chunk& records, std::uint64_t count, const list_type& into) {
    const aggregation_plan plan = plan_for(records, count, into);
    if (plan.path == aggregation_path::block_table) {
      run_block_table(records, count, plan, into);
    } else if (plan.narrow) {
      run_partitions<narrow_type>(records, count, plan, into);
    } else {
      run_partitions<value_type>(records, count, plan, into);
    }
  }

  void forget_plan() { plan_.reset(); }

  /// Says how the parts are reduced; empty until a part was sampled.
  [[nodiscard]] const std::string& note() const noexcept { return note_; }

 private:
  /// A part with fewer emits is not sampled, because the sample would take longer than a wrong plan.
  static constexpr std::uint64_t least_sampled = 1u << 16;

  /// Makes a buffer at least `bytes` bytes large; may lose its contents.
  void enlarge(device_buffer& buffer, std::uint64_t bytes) const {
    if (buffer.size() >= bytes) return;
    buffer = {};
    buffer = device_buffer(bytes, on_);
  }

  /// Returns the plan of earlier parts, or makes one from a sample of this part.
  [[nodiscard]] aggregation_plan plan_for(const chunk& records, std::uint64_t count, const list_type& into) {
    limits_.most_emits = count * max_emits_of<Task>;
    if (limits_.most_emits < least_sampled && path_ != aggregation_path::partitioned)
      return plan_block_table(std::min<std::uint64_t>(limits_.most_emits, 4096), limits_);
    if (plan_ && !plan_->hot_keys) return *plan_;
    const sample_table<bits> sample = take_sample(records, count, into);
    if (plan_) return *plan_;
    sample_counts seen;
    check(cudaMemcpyAsync(&seen, sample.seen, sizeof seen, cudaMemcpyDeviceToHost, on_.get()),
          "reading what a sample showed");
    on_.wait();
    plan_ = choose_plan(seen, limits_, path_);
    note_ = describe(*plan_, seen);
    return *plan_;
  }

  [[nodiscard]] sample_table<bits> sample_view() const {
    return {make_slot_finder(sample_keys_.template as<bits>(), sample_slots),
            sample_counts_.template as<unsigned int>(), hot_.template as<unsigned long long>(),
            hot_slots_in(limits_), seen_.template as<sample_counts>()};
  }

  [[nodiscard]] sample_table<bits> take_sample(const chunk& records, std::uint64_t count,
                                               const list_type& into) {
    enlarge(sample_keys_, sample_slots * sizeof(bits));
    enlarge(sample_counts_, sample_slots * sizeof(unsigned int));
    enlarge(hot_, most_hot_slots * sizeof(unsigned long long));
    enlarge(seen_, sizeof(sample_counts));
    const sample_table<bits> sample = sample_view();
    constexpr unsigned threads = detail::sample_threads;
    const launch_shape per_slot{sample_slots / threads, threads, 0, on_.get()};
    launch(detail::clear_sample<bits>, per_slot, sample);
    launch(detail::take_sample<Task>, {sample_emits / threads, threads, 0, on_.get()}, task_, format_,
           records, count, sample, &into.counts->broken_promise);
    launch(detail::weigh_sample<bits>, per_slot, sample);
    return sample;
  }

  void run_block_table(const chunk& records, std::uint64_t count, const aggregation_plan& plan,
                       const list_type& into) {
    enlarge(merged_keys_, plan.merged_slots * sizeof(bits));
    enlarge(merged_cells_, plan.merged_slots * sizeof(merged_cell));
    const merged_table<bits, reduce_type> merged{
        make_slot_finder(merged_keys_.template as<bits>(), plan.merged_slots),
        merged_cells_.template as<merged_cell>()};
    constexpr unsigned threads = 512;
    const launch_shape per_slot{(plan.merged_slots + threads - 1) / threads, threads, 0, on_.get()};
    launch(detail::clear_merged<bits, reduce_type>, per_slot, merged, reduction_of(task_));
    const auto shape = make_table_shape<bits, reduce_type>(plan.slots, plan.replica_bits, 0);
    const block_aggregate_arguments<Task> arguments{
        task_, format_, reduction_of(task_), records, count, shape, merged, into};
    launch(block_aggregate<Task>,
           {multiprocessors_, plan.threads, table_shared_bytes<bits, reduce_type>(shape, plan.threads),
            on_.get()},
           arguments);
    launch(detail::list_merged<bits, reduce_type>, per_slot, merged, into);
  }

  template <class Stored>
  static void allow_partitions(const device_limits& has) {
    allow_all_shared_memory(partition_pass<Task, true, Stored>, has);
    allow_all_shared_memory(partition_pass<Task, false, Stored>, has);
    allow_all_shared_memory(partition_aggregate<bits, reduce_type, Stored>, has);
  }

  /// Runs both passes; the regions store values as `Stored`.
  template <class Stored>
  void run_partitions(const chunk& records, std::uint64_t count, const aggregation_plan& plan,
                      const list_type& into) {
    const unsigned partitions = 1u << plan.partition_bits;
    const std::uint64_t emits = count * max_emits_of<Task>;
    // Small parts get room beyond the plan's slack, because their partitions vary more in size.
    const std::uint64_t region = (emits / partitions * (100 + plan.slack_percent) / 100 + 128 + 63) / 64 * 64;
    enlarge(regions_, partition_regions<bits, Stored>::bytes(region, partitions) + read_padding);
    enlarge(sent_, partitions * sizeof(unsigned int));
    enlarge(hot_cells_, most_hot_slots * sizeof(hot_cell));
    const partition_regions<bits, Stored> regions{regions_.template as<void>(),
                                                  sent_.template as<unsigned int>(),
                                                  static_cast<std::uint32_t>(region), plan.partition_bits};
    hot_table<bits, reduce_type> hot{{}, hot_cells_.template as<hot_cell>()};
    if (plan.hot_keys) {
      hot.sample = sample_view();
      launch(detail::place_losers<bits>,
             {sample_slots / detail::sample_threads, detail::sample_threads, 0, on_.get()}, hot.sample);
    }
    const reduce_type reduce = reduction_of(task_);
    launch(detail::clear_partitions<bits, reduce_type>, {most_hot_slots / 256, 256, 0, on_.get()},
           sent_.template as<unsigned int>(), partitions, hot.cells, reduce);

    const std::uint64_t shared = pass_shared_bytes(plan.partition_bits, hot.sample.hot_slots, limits_);
    const auto pass =
        plan.hot_keys ? partition_pass<Task, true, Stored> : partition_pass<Task, false, Stored>;
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pass, pass_threads, shared),
          "asking how many blocks fit");
    const partition_arguments<Task, Stored> first{task_, format_, reduce, records, count, regions, hot, into};
    launch(pass,
           {multiprocessors_ * static_cast<unsigned>(std::max(blocks, 1)), pass_threads, shared, on_.get()},
           first);
    const auto shape = make_table_shape<bits, reduce_type>(plan.slots, 0, plan.partition_bits);
    const partition_aggregate_arguments<bits, reduce_type, Stored> second{reduce,        regions, hot,
                                                                          plan.hot_keys, shape,   into};
    launch(partition_aggregate<bits, reduce_type, Stored>,
           {partitions, plan.threads, table_shared_bytes<bits, reduce_type>(shape, plan.threads), on_.get()},
           second);
  }

  [[nodiscard]] static std::string describe(const aggregation_plan& plan, const sample_counts& seen) {
    std::string text = "aggregate: ";
    if (plan.path == aggregation_path::block_table) {
      text += "a table of " + std::to_string(plan.slots) + " slots per multiprocessor";
    } else {
      text += "partitioned in " + std::to_string(1u << plan.partition_bits);
      if (plan.hot_keys) text += ", frequent keys reduced before";
      if (can_narrow && plan.narrow) text += ", values in half their bits";
    }
    return text + ", about " + std::to_string(plan.keys) + " keys (" + std::to_string(seen.distinct) +
           " in a sample of " + std::to_string(seen.emits) + ")";
  }

  Task task_;
  typename Task::format format_;
  aggregation_path path_;
  const stream& on_;
  unsigned multiprocessors_ = 0;
  aggregation_limits limits_;
  std::optional<aggregation_plan> plan_;
  std::string note_;

  device_buffer sample_keys_;
  device_buffer sample_counts_;
  device_buffer hot_;
  device_buffer hot_cells_;
  device_buffer seen_;
  device_buffer merged_keys_;
  device_buffer merged_cells_;
  device_buffer regions_;
  device_buffer sent_;
};

}  // namespace duomap::gpu
