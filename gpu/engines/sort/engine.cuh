// The sort engine: counts emits, writes them to their places, sorts them by hash and reduces them in input
// order (Mars; He et al., PACT 2008). Used for collect, for reductions that do not commute, and for keys that
// rarely repeat.
#pragma once

#include "core/chunk.hpp"
#include "core/engine_kind.hpp"
#include "core/error.hpp"
#include "core/memory_reservation.hpp"
#include "core/task.hpp"
#include "core/zeroed_memory.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/sort/counted_chunk.cuh"
#include "gpu/engines/sort/distinct_texts.cuh"
#include "gpu/engines/sort/emit_count.cuh"
#include "gpu/engines/sort/emit_space.hpp"
#include "gpu/engines/sort/emit_write.cuh"
#include "gpu/engines/sort/grouped_emits.cuh"
#include "gpu/engines/sort/kept_runs.cuh"
#include "gpu/engines/sort/long_keys.cuh"
#include "gpu/engines/sort/maker.hpp"
#include "gpu/engines/sort/piece_memory.cuh"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/engines/sort/run_part.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/sort_keys.cuh"
#include "gpu/engines/sort/stage_clock.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/engines/to_host.cuh"
#include "gpu/options.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>

namespace duomap::gpu {

/// The engine. gpu/engines/engine.hpp describes the functions. enqueue() counts a chunk's emits. The rest
/// runs on the engine's own stream when the chunk is finished, in one piece, or in several if the emits do
/// not fit into memory. Each piece leaves a run in host memory. Reduced runs of whole chunks are first kept
/// and merged on the device.
template <sort_task Task>
class sort_engine final : public engine {
  using tile = record_tile<typename Task::format>;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using entry = emit_entry<Task>;
  using runs = collected_partial<value_type>;
  using open_chunk = counted_chunk<Task>;
  using memory = emit_memory<Task>;
  static constexpr bool collects = memory::collects;
  static constexpr bool is_sorted = memory::is_sorted;
  static constexpr bool is_hashed = hashed_key<typename Task::key>;
  static constexpr std::uint32_t text_count = memory::text_count;

 public:
  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  sort_engine(const Task& task, const backend_options& options, const stream& on, host_partials<Task>& host)
    : task_(task),
      options_(options),
      on_(on),
      host_(host),
      share_(options.memory),
      host_copy_({options.feed.cores.begin(), options.feed.cores.end()}) {
    if constexpr (std::same_as<typename Task::key, dense>) {
      key_count_ = task.key_count();
      if (key_count_ > most_dense_keys) {
        throw usage_error("the sort engine takes up to 2^32 dense keys, and the task has " +
                          std::to_string(key_count_) + "; run on the CPU (--device cpu)");
      }
    }
    order_ = order_of_keys();
    const auto has = device_limits::current();
    allow_all_shared_memory(count_emits<Task>, has);
    allow_all_shared_memory(write_emits<Task>, has);
  }

  ~sort_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
    check_release(cudaStreamSynchronize(work_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::sort; }

  void enqueue(const chunk& resident) override {
    set_limit();
    const std::uint64_t tiles = tile::tiles(resident, format_of(task_));
    auto next = open_.spare();
    next->begin(resident, tiles, on_);
    launch(count_emits<Task>, {static_cast<unsigned>(tiles), block_threads, shared_bytes, on_.get()},
           count_arguments<Task>{task_, format_of(task_), resident, next->counts_to_host(), next->log()});
    next->end_count(on_);
    open_.push(std::move(next));
  }

  void finish_oldest() override {
    open_chunk& oldest = open_.front();
    oldest.wait();
    oldest.place_tiles(work_);
    if constexpr (is_sorted) {
      if (!kept_->is_next(oldest.part())) bring_kept();
    }
    runs found;
    try {
      for (std::uint64_t begin = 0; begin < oldest.tiles();) begin = run_piece(oldest, begin, found);
    } catch (...) {
      forget_copies();  // the copies under way write to `found`
      throw;
    }
    merge(std::move(found), finished_);
    open_.pop();
  }

  [[nodiscard]] engine_figures figures() const override { return figures_; }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    if constexpr (is_sorted) bring_kept();
    host_copy_.wait();
    work_.wait();
    stages_.count_last(figures_);
    share_.keep();
    if (!finished_.runs.empty()) {
      host_.push_back(std::make_unique<run_part<Task>>(task_, std::exchange(finished_, {})));
    }
  }

  void forget() override {
    forget_copies();
    if (kept_) kept_->forget();
    finished_ = {};
    share_.give_back();
  }

 private:
  static constexpr std::uint64_t most_dense_keys = std::uint64_t{1} << 32;
  /// Enough to merge eight runs of a million keys of 24 bytes at a time.
  static constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 28;
  static constexpr std::uint64_t shared_bytes = sizeof(tile_memory<Task>);

  void set_limit() {
    if (limit_.memory > 0) return;
    allowed_ = memory_limit(options_.table_bytes);
    limit_ = memory::limit(allowed_ - allowed_ / scratch::spare);
    if constexpr (text_count > 0) {
      // A quarter of the memory is for the texts of all pieces, whatever this piece needs.
      limit_.memory -= limit_.memory / 4;
      texts_.emplace(allowed_ / 4, options_.hash_mask);
    }
    if constexpr (is_sorted) {
      const std::uint64_t kept_bytes = std::min(allowed_ / 16, most_kept_bytes);
      limit_.memory -= 4 * kept_bytes;  // for growing and merging the kept runs
      kept_.emplace(kept_bytes, order_);
    }
  }

  /// Runs the piece of a chunk that begins at tile `begin`. Returns the first tile of the next piece.
  [[nodiscard]] std::uint64_t run_piece(const open_chunk& from, std::uint64_t begin, runs& found) {
    std::uint64_t end = piece_end(from.spaces(), begin, from.tiles(), limit_);
    while (end > begin) {
      const emit_space space = from.spaces()[end] - from.spaces()[begin];
      if (space.emits == 0) return end;
      try {
        // Runs are ordered by offset. Offsets differ, because a chunk has no fewer units than tiles.
        found.runs.push_back({from.part().source, from.part().offset + begin, {}});
        run_tiles(from, begin, end, space, found);
        return end;
      } catch (const device_out_of_memory&) {
        // Halves the piece: less memory was free than expected, or colliding keys need more.
        if constexpr (is_sorted) kept_->bring(finished_, host_copy_, work_);
        host_copy_.wait();
        found.runs.pop_back();
        work_.wait();
        if constexpr (is_sorted) kept_->release();
        memory_ = {};
        if (texts_) texts_->forget();
        end = begin + (end - begin) / 2;
      }
    }
    throw out_of_memory("the emits of one tile of input need " +
                        std::to_string(limit_.memory_of(from.spaces()[begin + 1] - from.spaces()[begin])) +
                        " bytes on the GPU, and they may take " + std::to_string(allowed_) +
                        "; run on the CPU (--device cpu)");
  }

  void run_tiles(const open_chunk& from, std::uint64_t begin, std::uint64_t end, const emit_space& space,
                 runs& found) {
    emit_arrays<Task> to;
    if (stores_bytes<Task> && space.bytes > 0) {
      to.store = memory_.store.template get<char>(space.bytes, work_);
      to.store_on_read = to.store;
    }
    if constexpr (writes_entries<Task>) {
      to.entries = memory_.entries.template get<entry>(space.emits, work_);
    } else {
      to.values = memory_.entries.template get<value_type>(space.emits, work_);
    }
    if constexpr (collects) {
      // Allocates the host memory while the device writes the emits.
      write(from, begin, end, to, [&] { found.runs.back().entries.resize(space.emits); });
      bring_collected(to, space, found);
    } else if constexpr (is_sorted) {
      reduce_by_key(from, begin, end, static_cast<std::uint32_t>(space.emits), to, found);
    } else {
      write(from, begin, end, to, [] {});
      stages_.end(stage_clock::grouped, work_);  // times the grouping as 0, because there is nothing to group
      grouped_emits<Task> all;
      all.values.values = to.values;
      all.values.count = static_cast<std::uint32_t>(space.emits);
      bring_reduced(all, memory_.reduced.template get<entry>(1, work_), false, found);
    }
  }

  /// Copies collected emits to the host, and copies the long texts that the host does not have yet.
  void bring_collected(const emit_arrays<Task>& to, const emit_space& space, runs& found) {
    distinct_texts::addition added;
    if constexpr (text_count > 0) {
      if (space.bytes > 0) {
        text_fields all{.emits = reinterpret_cast<char*>(to.entries),
                        .stride = sizeof(entry),
                        .count = static_cast<std::uint32_t>(space.emits),
                        .fields = text_count,
                        .offsets = {offsetof(entry, key), offsetof(entry, value)}};
        if constexpr (!has_long_keys<Task>) all.offsets[0] = offsetof(entry, value);
        added = texts_->deduplicate_long_texts(all, space.bytes, work_);
        if (found.arenas.empty() || found.arenas.back() != texts_->arena())
          found.arenas.push_back(texts_->arena());
      }
    }
    const std::uint64_t bytes = space.emits * sizeof(entry);
    share_.take(bytes + added.bytes, "what a GPU has collected");
    // The texts are copied first, because they are usually few and the device's thread waits for them.
    if (added.bytes > 0) host_copy_.copy(added.to, added.from, added.bytes, work_);
    host_copy_.copy(found.runs.back().entries.data(), to.entries, bytes, work_);
  }

  /// Queues the write of the tiles' emits, calls meanwhile() while the device writes, and waits.
  template <class Meanwhile>
  void write(const open_chunk& from, std::uint64_t begin, std::uint64_t end, emit_arrays<Task>& to,
             const Meanwhile& meanwhile) {
    stages_.begin(work_);
    to.faults = faults_.template as<std::uint32_t>();
    *to.faults = 0;
    launch(write_emits<Task>, {static_cast<unsigned>(end - begin), block_threads, shared_bytes, work_.get()},
           write_arguments<Task>{task_, format_of(task_), reduction_of(task_), from.part(), from.counts(),
                                 from.log(), begin, to, order_, key_count_});
    stages_.end(stage_clock::written, work_);
    meanwhile();
    work_.wait();
    stages_.count_previous(figures_);
    // Checked before anything reads a key, since a faulty emit leaves its entry unwritten.
    const std::uint32_t seen = *to.faults;
    if ((seen & changed_emits) != 0) {
      throw_map_failed(typeid(Task).name(),
                       "emitted something else when its map saw a record again; make map pure");
    }
    if ((seen & key_range) != 0) throw_key_out_of_range_on_gpu(typeid(Task).name(), key_count_);
  }

  void reduce_by_key(const open_chunk& from, std::uint64_t begin, std::uint64_t end, std::uint32_t count,
                     emit_arrays<Task>& to, runs& found) {
    sort_arrays pairs{};
    for (unsigned i = 0; i < 2; ++i) {
      pairs.keys[i] = memory_.sort_keys[i].template get<std::uint32_t>(count, work_);
      pairs.values[i] = memory_.order[i].template get<std::uint32_t>(count, work_);
    }
    to.sort_keys = pairs.keys[0];
    to.order = pairs.values[0];
    write(from, begin, end, to, [] {});

    sorted_emits emits{.count = count, .emits = {nullptr, memory::emit_bytes}, .has_keys = is_hashed};
    if constexpr (is_hashed) {
      emits.emits.first = reinterpret_cast<const char*>(to.entries);
      emits.value_offset = offsetof(entry, value);
    } else {
      emits.emits.first = reinterpret_cast<const char*>(to.values);
    }
    auto all = group_by_key<Task>(pairs, order_.bits, emits, memory_, work_);
    stages_.end(stage_clock::grouped, work_);
    const bool long_keys = to.store != nullptr;
    // Only runs of whole chunks are kept: if a later piece failed, the kept runs of earlier pieces would have
    // to be undone.
    if (begin == 0 && end == from.tiles() && !long_keys && kept_->takes(all.segments)) {
      keep_reduced(all, from.part(), found);
    } else {
      bring_reduced(all, memory_.reduced.template get<entry>(all.segments, work_), long_keys, found);
    }
  }

  /// Reduces a chunk's emits into the memory of the kept runs.
  void keep_reduced(grouped_emits<Task>& all, const chunk& from, runs& found) {
    reduce_groups(all, task_, kept_->room(all.segments, work_), memory_, work_);
    stages_.end(stage_clock::reduced, work_);
    kept_->add(from, all.segments);
    found.runs.pop_back();
    if (kept_->is_full()) merge_kept();
  }

  void merge_kept() {
    const bool merged = kept_->merge(task_, memory_, work_);
    stages_.end(stage_clock::reduced, work_);
    if (!merged || kept_->is_full()) kept_->bring(finished_, host_copy_, work_);
  }

  void bring_kept() {
    if (!kept_) return;  // no chunk was enqueued, so there are no kept runs
    if (kept_->has_several()) merge_kept();
    kept_->bring(finished_, host_copy_, work_);
  }

  /// Reduces emits to `reduced` and copies the results to the host.
  void bring_reduced(grouped_emits<Task>& all, entry* reduced, bool long_keys, runs& found) {
    reduce_groups(all, task_, reduced, memory_, work_);
    stages_.end(stage_clock::reduced, work_);
    if (long_keys) {
      const writable_keys keys{reinterpret_cast<char*>(reduced), sizeof(entry)};
      if (auto bytes = bring_long_keys(keys, all.segments, memory_.long_keys, host_copy_, work_))
        own(std::move(bytes), found);
    }
    auto& entries = found.runs.back().entries;
    entries.resize(all.segments);
    host_copy_.copy(entries.data(), reduced, all.segments * sizeof(entry), work_);
  }

  /// Waits for copies under way, whose target memory is about to be freed.
  void forget_copies() noexcept {
    try {
      host_copy_.wait();
    } catch (const std::exception&) {
      // The copies have failed. The exception is dropped, because nothing reads their targets.
    }
  }

  static void own(zeroed_memory bytes, runs& found) {
    auto arena = std::make_shared<key_arena>();
    arena->adopt(std::move(bytes));
    found.arenas.push_back(std::move(arena));
  }

  static void merge(runs from, runs& into) {
    for (auto& run : from.runs) into.runs.push_back(std::move(run));
    for (auto& arena : from.arenas) into.arenas.push_back(std::move(arena));
  }

  /// Hashed keys are sorted by 32 bits of the hash. Few keys share these bits, and splitting runs of such
  /// keys costs less than more passes.
  [[nodiscard]] sort_order order_of_keys() const {
    if (is_hashed) return {.is_hashed = true, .hash_mask = options_.hash_mask};
    return {.bits = key_count_ > 0 ? static_cast<unsigned>(std::bit_width(key_count_ - 1)) : 0};
  }

  Task task_;
  backend_options options_;
  const stream& on_;
  host_partials<Task>& host_;
  std::uint64_t key_count_ = 0;
  sort_order order_;
  std::uint64_t allowed_ = 0;
  piece_limit limit_;
  // Urgent, because the thread that drives the device waits for this stream, and the link waits for that
  // thread. Writing the emits of 64 MB of HTML behind another chunk's first pass took an H200 0.15 ms,
  // instead of 0.36 on a usual stream.
  stream work_{stream_rank::urgent};
  piece_arrays memory_;
  pinned_buffer faults_{sizeof(std::uint32_t)};  // mistakes found in the piece that is being written
  stage_clock stages_;
  engine_figures figures_;
  std::optional<distinct_texts> texts_;
  std::optional<kept_runs<Task>> kept_;  // only if the task's keys are sorted
  runs finished_;
  memory_reservation share_;  // memory of the runs that are not committed
  recycling_queue<open_chunk> open_;
  to_host host_copy_;  // the last member, so that its copies to finished_ end first
};

template <sort_task Task>
std::unique_ptr<engine> make_sort_engine(const Task& task, const backend_options& options, const stream& on,
                                         host_partials<Task>& host) {
  return std::make_unique<sort_engine<Task>>(task, options, on, host);
}

}  // namespace duomap::gpu
