// Runs tasks over numbered records with keys of at most 8 bytes and values of at most 32: a variant of the
// hash engine in which each block has one large table in shared memory. If there are many keys, a partition
// pass comes before.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/record/formats.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/hash/maker.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/hash_partitioned/list_partial.cuh"
#include "gpu/engines/hash_partitioned/pair_list.cuh"
#include "gpu/engines/hash_partitioned/part_reducer.cuh"
#include "gpu/engines/hash_partitioned/path.hpp"
#include "gpu/engines/hash_partitioned/record_reader.cuh"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/ready_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The engine. gpu/engines/engine.hpp describes the functions. The engine cuts a chunk into parts that fit
/// into its scratch memory. Each part leaves a list of reduced keys and of spilled emits. An emit is spilled
/// if its table or region is full, because the sample misled the plan. If only one part has reduced keys, its
/// list stays on the device until commit(). Otherwise a general hash engine folds the lists of all parts into
/// its growing table. That engine always gets the spilled emits.
template <aggregation_task Task>
class aggregation final : public engine {
  using key_type = typename Task::key;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using bits = key_bits<key_type>;
  using entry = key_value<bits, value_type>;
  using fold_task = fold_key_values<key_type, reduce_type>;

 public:
  /// The least backend_options::table_bytes that is enough for this engine.
  static constexpr std::uint64_t least_bytes = std::uint64_t{64} << 20;

  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  aggregation(const Task& task, const backend_options& options, const stream& on, host_partials<Task>& host)
    : task_(task),
      format_(format_of(task)),
      options_(options),
      on_(on),
      host_(host),
      parts_(task, options.path, on) {}

  ~aggregation() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::hash; }

  void enqueue(const chunk& resident) override {
    const std::uint64_t records = detail::record_count(resident, format_);
    const std::uint64_t most = records_of_a_part();
    const std::uint64_t parts = std::max<std::uint64_t>(1, (records + most - 1) / most);
    // A multiple of 16, so that every part begins where 16-byte reads are aligned.
    const std::uint64_t each = ((records + parts - 1) / parts + 15) / 16 * 16;
    const std::size_t waiting_before = waiting_.size();
    for (std::uint64_t i = 0; i < parts; ++i) {
      const std::uint64_t first = std::min(records, i * each);
      waiting_.push_back({slice(resident, format_, first), std::min(each, records - first), i + 1 == parts});
    }
    try {
      start_waiting();
    } catch (const device_out_of_memory&) {
      // If the first part has memory, the chunk is accepted, because its other parts can wait for memory.
      if (waiting_.size() < waiting_before + parts || waiting_before > 0) return;
      waiting_.clear();
      throw;
    }
  }

  void finish_oldest() override {
    for (bool is_last = false; !is_last;) {
      start_what_fits();
      open_part& oldest = open_.front();
      oldest.done.wait();
      is_last = oldest.input.is_last;
      absorb(oldest);
      open_.pop();
    }
    if (!open_.empty()) start_what_fits();
  }

  void commit() override {
    expects(open_.empty() && waiting_.empty(), "an engine is committed when no chunk is open");
    if (held_.count > 0) {
      partial_for<Task> all;
      all.unread.push_back(
          std::make_shared<list_partial<Task>>(held_.list.template as<entry>(), held_.count, on_));
      host_.push_back(std::make_unique<ready_partial<Task>>(std::move(all)));
    }
    if (folded_) folded_->commit();
    for (auto& part : folded_host_)
      host_.push_back(std::make_unique<adopted_part<Task, fold_task>>(std::move(part)));
    folded_host_.clear();
    held_.count = 0;
    has_folded_ = false;
  }

  void forget() override {
    held_.count = 0;
    has_folded_ = false;
    if (folded_) folded_->forget();
    folded_host_.clear();
    parts_.forget_plan();
    spilled_ = 0;
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    const std::string& note = parts_.note();
    if (note.empty()) return {};
    return {spilled_ == 0 ? note : note + "; " + std::to_string(spilled_) + " emits found no place there"};
  }

 private:
  struct input_part {
    chunk records;
    std::uint64_t count = 0;
    bool is_last = false;  ///< whether the part is the last of its chunk
  };

  struct open_part {
    explicit open_part(const stream& on) : counts(sizeof(list_counts), on) {}

    input_part input;
    device_buffer list;
    std::uint64_t capacity = 0;
    device_buffer counts;
    pinned_buffer seen{sizeof(list_counts)};
    event done;
  };

  struct held_list {
    device_buffer list;
    std::uint64_t count = 0;
  };

  static constexpr unsigned most_open = 3;

  [[nodiscard]] static chunk slice(const chunk& whole, const index_range&, std::uint64_t first) {
    return {nullptr, 0, whole.offset + first, whole.source};
  }
  template <class T>
  [[nodiscard]] static chunk slice(const chunk& whole, const rows<T>& format, std::uint64_t first) {
    const std::uint64_t bytes = first * format.row_bytes();
    return {whole.data + bytes, whole.size - bytes, whole.offset + bytes, whole.source};
  }

  /// Half of the memory is for the parts, half for the table of the general hash engine.
  [[nodiscard]] std::uint64_t records_of_a_part() {
    if (scratch_bytes_ == 0) scratch_bytes_ = memory_limit(options_.table_bytes) / 2;
    const std::uint64_t per_emit =
        (most_open + 3) * sizeof(entry);  // the lists, and the regions with some slack
    const std::uint64_t emits = std::clamp<std::uint64_t>(
        (scratch_bytes_ - std::min(scratch_bytes_, part_reducer<Task>::fixed_bytes)) / per_emit, 1u << 16,
        std::uint64_t{1} << 31);
    return std::max<std::uint64_t>(16, emits / max_emits_of<Task> / 16 * 16);
  }

  void start_waiting() {
    while (!waiting_.empty() && open_.size() < most_open) {
      start(waiting_.front());
      waiting_.pop_front();
    }
  }

  /// Starts waiting parts. A part that lacks memory waits until earlier parts have ended.
  void start_what_fits() {
    try {
      start_waiting();
    } catch (const device_out_of_memory&) {
      if (open_.empty()) throw;
    }
  }

  void start(const input_part& input) {
    const std::uint64_t emits = input.count * max_emits_of<Task>;
    auto part = open_.spare(on_);
    part->input = input;
    part->capacity = emits + part_reducer<Task>::spare_entries;
    if (const std::uint64_t bytes = part->capacity * sizeof(entry); part->list.size() < bytes) {
      part->list = {};
      part->list = device_buffer(bytes, on_);
    }
    check(cudaMemsetAsync(part->counts.template as<void>(), 0, part->counts.size(), on_.get()),
          "clearing a list's counts");
    if (input.count > 0) {
      parts_.reduce(
          part->input.records, input.count,
          {part->list.template as<entry>(), part->capacity, part->counts.template as<list_counts>()});
    }
    check(cudaMemcpyAsync(part->seen.template as<void>(), part->counts.template as<void>(),
                          sizeof(list_counts), cudaMemcpyDeviceToHost, on_.get()),
          "reading a list's counts");
    part->done.record(on_);
    open_.push(std::move(part));
  }

  /// Takes over the results of a finished part.
  void absorb(open_part& part) {
    const list_counts seen = *part.seen.template as<list_counts>();
    if (seen.broken_promise != 0) throw_broken_promise(typeid(Task).name(), max_emits_of<Task>);
    expects(seen.reduced + seen.spilled <= part.capacity, "a list is as long as the emits at most");
    // Many spilled emits mean that the input has changed or that the sample misled the plan, so the next part
    // is sampled again.
    if (seen.spilled * 8 > part.input.count * max_emits_of<Task>) parts_.forget_plan();
    spilled_ += seen.spilled;
    if (seen.spilled > 0) fold(part.list.template as<entry>() + (part.capacity - seen.spilled), seen.spilled);
    if (seen.reduced == 0) return;
    if (!has_folded_ && held_.count == 0) {
      std::swap(held_.list, part.list);
      held_.count = seen.reduced;
      return;
    }
    if (held_.count > 0) fold(held_.list.template as<entry>(), std::exchange(held_.count, 0));
    has_folded_ = true;
    fold(part.list.template as<entry>(), seen.reduced);
  }

  /// Folds entries into the general hash engine and waits. The fold has a stream of its own, because on `on_`
  /// it would wait for later chunks.
  void fold(const entry* entries, std::uint64_t count) {
    if (!folded_) {
      backend_options options = options_;
      options.table_bytes /= 2;
      folded_ = make_hash_engine(fold_task{reduction_of(task_)}, options, folds_, folded_host_);
    }
    folded_->enqueue({reinterpret_cast<const char*>(entries), count * sizeof(entry), 0, 0});
    folded_->finish_oldest();
  }

  Task task_;
  typename Task::format format_;
  backend_options options_;
  const stream& on_;
  host_partials<Task>& host_;
  std::uint64_t scratch_bytes_ = 0;
  std::uint64_t spilled_ = 0;

  part_reducer<Task> parts_;
  std::deque<input_part> waiting_;
  recycling_queue<open_part> open_;
  held_list held_;

  stream folds_{stream_rank::urgent};  // urgent, because the engine's thread waits for this stream
  host_partials<fold_task> folded_host_;
  std::unique_ptr<engine> folded_;
  bool has_folded_ = false;  ///< whether lists of reduced keys were folded, beside spilled emits
};

/// Makes this engine or the general hash engine, by the options.
template <aggregation_task Task>
struct engine_maker<engine_kind::hash, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    const bool has_memory = options.table_bytes == 0 || options.table_bytes >= aggregation<Task>::least_bytes;
    // Hash masks and numbers of block tables apply to the general hash engine only.
    if (options.path != aggregation_path::general && !options.block_tables && has_memory &&
        options.hash_mask == ~std::uint64_t{0})
      return std::make_unique<aggregation<Task>>(task, options, with.compute, host);
    return make_hash_engine(task, options, with.compute, host);
  }
};

}  // namespace duomap::gpu
