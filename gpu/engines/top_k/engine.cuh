// Runs top-k tasks. Each warp keeps its best candidates in shared memory and sorts them when its room is
// full. A list in device memory does the same for all warps (in-object sorting: Chen & Agrawal, HPDC 2012,
// section 3.5).
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/hash/open_chunk.cuh"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/top_k/map_kernel.cuh"
#include "gpu/engines/top_k/selection.cuh"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// Candidates in host memory, which become a partial.
template <class Task>
class top_part final : public host_partial<Task> {
 public:
  using value_type = typename Task::reduce::value_type;

  top_part(std::uint64_t keys, const typename Task::reduce& reduce, std::vector<candidate<value_type>> all)
    : keys_(keys), reduce_(reduce), all_(std::move(all)) {}

  [[nodiscard]] partial_for<Task> release_partial(worker_pool& /*pool*/) override {
    partial_for<Task> best(keys_);
    for (const candidate<value_type>& one : all_) best[one.key].add(one.value, reduce_);
    return best;
  }

 private:
  std::uint64_t keys_;
  typename Task::reduce reduce_;
  std::vector<candidate<value_type>> all_;
};

/// The engine. gpu/engines/engine.hpp describes the functions. Warps drop emits that are not better than the
/// k-th best so far, and store all others. When the list in device memory is half full, the engine reduces it
/// to the best k of each key. If the best k leave too little room, the engine enlarges the list or hands it
/// to the host.
template <top_k_task Task>
class top_engine final : public engine {
  using value_type = typename Task::reduce::value_type;
  using item = candidate<value_type>;
  using bound = top_bound<value_type>;
  using tile = warp_tile<typename Task::format>;

 public:
  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  top_engine(const Task& task, const backend_options& options, const stream& on, host_partials<Task>& host)
    : task_(task),
      options_(options),
      on_(on),
      host_(host),
      reduce_(reduction_of(task)),
      keys_(dense_key_count(task)),
      bounds_(std::max<std::uint64_t>(keys_, 1) * sizeof(bound), on),
      counters_(sizeof(candidate_counters), on) {
    const auto has = device_limits::current();
    const unsigned wanted = options.blocks_per_multiprocessor;
    const unsigned most = blocks_at_once(map_and_select<Task>, 32 * top_warps, shared_bytes, has);
    blocks_ = std::uint64_t{has.multiprocessors} * (wanted > 0 ? wanted : most);
    check(cudaMemsetAsync(bounds_.template as<void>(), 0, bounds_.size(), on.get()), "clearing the bounds");
    clear_counters();
  }

  ~top_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::hash; }

  void enqueue(const chunk& resident) override {
    if (list_.size() == 0) make_first_list();
    auto next = open_.spare(warps(), on_);
    next->tiles.begin(resident, tile::tiles(resident, format_of(task_)), 0, on_);
    launch_on(*next, has_bounds_ ? capacity_ : candidates_before_bounds(keys_, reduce_.k, capacity_));
    open_.push(std::move(next));
  }

  void finish_oldest() override {
    selected_chunk& oldest = open_.front();
    oldest.tiles.wait();
    while (!is_complete(oldest)) {
      make_room(oldest.tiles.progress().needed_keys);
      launch_on(oldest, capacity_);
      oldest.tiles.wait();
    }
    // The first chunk's bounds let later chunks drop most of their candidates.
    const std::uint64_t written = oldest.counters.template as<candidate_counters>()->written;
    if (written > 0 && (!has_bounds_ || written >= capacity_ / 2)) static_cast<void>(select());
    open_.pop();
  }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    hand_over(select());
  }

  void forget() override {
    clear_counters();
    check(cudaMemsetAsync(bounds_.template as<void>(), 0, bounds_.size(), on_.get()), "clearing the bounds");
    has_bounds_ = false;
  }

 private:
  static constexpr int shared_bytes = static_cast<int>(top_warps * sizeof(top_warp_memory<Task>));
  static constexpr std::uint64_t smallest_capacity = 64;

  struct selected_chunk {
    selected_chunk(std::uint64_t warps, const stream& on) : tiles(warps, on) {}

    open_chunk tiles;
    pinned_buffer counters{sizeof(candidate_counters)};  // the counters after the last launch
  };

  /// The number of warps in a launch over a large chunk.
  [[nodiscard]] std::uint64_t warps() const { return blocks_ * top_warps; }

  /// Bytes of two lists: a selection copies candidates from one to the other.
  [[nodiscard]] static std::uint64_t bytes_of(std::uint64_t capacity) { return 2 * capacity * sizeof(item); }

  void make_first_list() {
    limit_ = memory_limit(options_.table_bytes);
    std::uint64_t capacity =
        options_.first_keys > 0
            ? std::max(std::bit_ceil(options_.first_keys), smallest_capacity)
            : first_candidates(keys_, reduce_.k, warps(), warp_candidates<Task>::most_held);
    while (bytes_of(capacity) > limit_ && capacity > smallest_capacity) capacity /= 2;
    list_ = device_buffer(capacity * sizeof(item), on_);
    other_ = device_buffer(capacity * sizeof(item), on_);
    capacity_ = capacity;
  }

  /// Launches the kernel, which may use the first `places` places of the list.
  void launch_on(selected_chunk& one, std::uint64_t places) {
    // tiles_left() comes first, because begin_launch() resets the number of returned runs.
    const std::uint64_t left = one.tiles.tiles_left();
    const tile_queue queue = one.tiles.begin_launch(on_);
    const candidate_list<value_type> list{list_.template as<item>(),
                                          counters_.template as<candidate_counters>(), places};
    const top_arguments<Task> arguments{
        task_, format_of(task_), reduce_, one.tiles.part(), queue, list, bounds_.template as<bound>(), keys_};
    launch(map_and_select<Task>,
           {static_cast<unsigned>(std::min(blocks_, left)), 32 * top_warps, shared_bytes, on_.get()},
           arguments);
    check(cudaMemcpyAsync(one.counters.template as<void>(), counters_.template as<void>(),
                          sizeof(candidate_counters), cudaMemcpyDeviceToHost, on_.get()),
          "reading the number of candidates");
    one.tiles.end_launch(on_);
  }

  [[nodiscard]] bool is_complete(const selected_chunk& one) const {
    if (one.tiles.progress().broken_promise != 0) throw_key_out_of_range_on_gpu(typeid(Task).name(), keys_);
    return one.tiles.is_complete();
  }

  /// Makes room for a warp that asked for `needed` places, and more room for other warps if possible.
  void make_room(std::uint64_t needed) {
    const std::uint64_t kept = select();
    const std::uint64_t left = capacity_ - kept;
    // A selection should leave half of the places free. Otherwise another one follows soon, for little room.
    if (left >= needed && left >= capacity_ / 2) return;
    std::uint64_t wanted = capacity_;
    while (wanted - kept < std::max(needed, wanted / 2)) wanted *= 2;
    if (bytes_of(wanted) <= limit_ && try_grow(wanted, kept)) return;
    if (left >= needed) return;
    hand_over(kept);
    if (capacity_ >= needed) return;
    wanted = capacity_;
    while (wanted < needed) wanted *= 2;
    if (bytes_of(wanted) <= limit_ && try_grow(wanted, 0)) return;
    throw out_of_memory("a tile of the input emits " + std::to_string(needed) +
                        " values that may be among the best, for which the GPU needs " +
                        std::to_string(bytes_of(wanted)) + " bytes and may have " + std::to_string(limit_) +
                        "; run on the CPU (--device cpu)");
  }

  [[nodiscard]] bool try_grow(std::uint64_t capacity, std::uint64_t kept) {
    try {
      device_buffer list(capacity * sizeof(item), on_);
      device_buffer other(capacity * sizeof(item), on_);
      check(cudaMemcpyAsync(list.template as<void>(), list_.template as<void>(), kept * sizeof(item),
                            cudaMemcpyDeviceToDevice, on_.get()),
            "moving candidates");
      list_ = std::move(list);
      other_ = std::move(other);
      capacity_ = capacity;
      return true;
    } catch (const device_out_of_memory&) {
      return false;
    }
  }

  /// Reduces the list to the best k of each key, and returns the number of remaining candidates. Waits for
  /// all work that uses the list.
  std::uint64_t select() {
    if (list_.size() == 0) return 0;
    const std::uint64_t count = written();
    if (count == 0) return 0;
    clear_counters();
    auto* const counters = counters_.template as<candidate_counters>();
    select_best(list_.template as<item>(), count, other_.template as<item>(), &counters->written,
                bounds_.template as<bound>(), reduce_.k, reduce_.better, on_);
    check(cudaMemcpyAsync(&counters->reserved, &counters->written, sizeof counters->written,
                          cudaMemcpyDeviceToDevice, on_.get()),
          "counting candidates");
    std::swap(list_, other_);
    has_bounds_ = true;
    return written();
  }

  /// Waits for the stream, after which no warp holds reserved places, and returns the number of candidates.
  [[nodiscard]] std::uint64_t written() const {
    candidate_counters now;
    check(cudaMemcpyAsync(&now, counters_.template as<void>(), sizeof now, cudaMemcpyDeviceToHost, on_.get()),
          "reading the number of candidates");
    on_.wait();
    return now.written;
  }

  void clear_counters() const {
    check(cudaMemsetAsync(counters_.template as<void>(), 0, counters_.size(), on_.get()),
          "clearing the number of candidates");
  }

  /// Moves the list's `count` candidates to the host. The bounds stay valid, because the host now has the
  /// candidates that they come from.
  void hand_over(std::uint64_t count) {
    if (count == 0) return;
    std::vector<item> all(count);
    check(cudaMemcpyAsync(all.data(), list_.template as<void>(), count * sizeof(item), cudaMemcpyDeviceToHost,
                          on_.get()),
          "copying results from the device");
    on_.wait();
    host_.push_back(std::make_unique<top_part<Task>>(keys_, reduce_, std::move(all)));
    clear_counters();
  }

  Task task_;
  backend_options options_;
  const stream& on_;
  host_partials<Task>& host_;
  typename Task::reduce reduce_;
  std::uint64_t keys_;
  std::uint64_t blocks_ = 0;
  std::uint64_t limit_ = 0;
  std::uint64_t capacity_ = 0;
  bool has_bounds_ = false;
  device_buffer bounds_;
  device_buffer counters_;
  device_buffer list_;
  device_buffer other_;
  recycling_queue<selected_chunk> open_;
};

template <top_k_task Task>
struct engine_maker<engine_kind::hash, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return std::make_unique<top_engine<Task>>(task, options, with.compute, host);
  }
};

}  // namespace duomap::gpu
