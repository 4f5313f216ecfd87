// The sort engine (Mars; He et al., PACT 2008): count, place, emit, sort by hash, reduce in input order. For
// collect, for reductions that do not commute, for keys that hardly repeat.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/task.hpp"
#include "gpu/can_run.hpp"
#include "gpu/engine.hpp"
#include "gpu/host_part.hpp"
#include "gpu/options.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "gpu/sort/emit_count.cuh"
#include "gpu/sort/emit_space.hpp"
#include "gpu/sort/emit_write.cuh"
#include "gpu/sort/long_keys.cuh"
#include "gpu/sort/ordered_reduce.cuh"
#include "gpu/sort/primitives.cuh"
#include "gpu/sort/run_part.hpp"
#include "gpu/sort/scratch.cuh"
#include "gpu/sort/segments.cuh"
#include "gpu/sort/to_host.cuh"

#include <bit>
#include <concepts>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// See gpu/engine.hpp. A chunk is counted when it is enqueued; the rest is done, on a stream of the engine's
/// own, when it is finished: in one piece, or in as many as its emits need to fit into memory. Each piece
/// leaves a run in host memory.
template <sort_task Task>
class sort_engine final : public engine {
  using tile = record_tile<typename Task::format>;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using entry = emit_entry<Task>;
  using runs = collected_partial<value_type>;
  static constexpr bool collects = duomap::detail::is_collect<reduce_type>;
  static constexpr bool is_hashed = hashed_key<typename Task::key>;
  static constexpr bool is_sorted = !collects && !std::same_as<typename Task::key, no_key>;

 public:
  /// For the calling thread's current device. `on` and `host` must outlive the engine.
  sort_engine(const Task& task, const backend_options& options, const stream& on, host_parts<Task>& host)
    : task_(task), options_(options), on_(on), host_(host) {
    if constexpr (std::same_as<typename Task::key, dense>) {
      key_count_ = task.key_count();
      if (key_count_ > most_dense_keys) {
        throw usage_error("the sort engine takes up to 2^32 dense keys, and the task has " +
                          std::to_string(key_count_) + "; run on the CPU (--device cpu)");
      }
    }
    for (const auto kernel : {reinterpret_cast<const void*>(count_emits<Task>),
                              reinterpret_cast<const void*>(write_emits<Task>)}) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes)),
            [] { return "using " + std::to_string(shared_bytes) + " bytes of shared memory in a block"; });
    }
  }

  ~sort_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
    check_release(cudaStreamSynchronize(work_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::sort; }

  void enqueue(const chunk& resident) override {
    set_limit();
    const std::uint64_t tiles = tile::tiles(resident, format_of(task_));
    auto next = idle_.empty() ? std::make_unique<open_chunk>() : std::move(idle_.back());
    if (!idle_.empty()) idle_.pop_back();
    next->part = resident;
    next->prepare(tiles, on_);
    launch(count_emits<Task>, {static_cast<unsigned>(tiles), block_threads, shared_bytes, on_.get()},
           count_arguments<Task>{task_, format_of(task_), resident, next->threads,
                                 next->tile_spaces.template get<emit_space>(tiles + 1, on_)});
    next->read_spaces(on_);
    open_.push_back(std::move(next));
  }

  void finish_oldest() override {
    open_chunk& oldest = *open_.front();
    oldest.counted.wait();
    oldest.place_tiles(work_);
    runs found;
    for (std::uint64_t begin = 0; begin < oldest.tiles;) begin = run_piece(oldest, begin, found);
    merge(std::move(found), finished_);
    idle_.push_back(std::move(open_.front()));
    open_.pop_front();
  }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    if (!finished_.runs.empty()) {
      host_.push_back(std::make_unique<run_part<Task>>(task_, std::exchange(finished_, {})));
    }
  }

  void forget() override { finished_ = {}; }

 private:
  static constexpr std::uint64_t most_dense_keys = std::uint64_t{1} << 32;
  static constexpr std::uint64_t shared_bytes = sizeof(emit_memory<Task>);
  // What an emit takes: its value; what it is sorted by and its index, both twice; its key; the number of its
  // segment; an entry, if no other emit has its key.
  static constexpr std::uint64_t bytes_per_emit =
      collects ? sizeof(entry)
               : sizeof(value_type) + sizeof(entry) + 8 +
                     (is_sorted ? 5 * sizeof(std::uint32_t) + (is_hashed ? sizeof(compact_key) : 0) : 0);

  struct open_chunk {
    chunk part;
    std::uint64_t tiles = 0;
    scratch thread_emits;
    scratch thread_bytes;
    scratch tile_spaces;  // one more than there are tiles
    thread_counts threads;
    std::unique_ptr<pinned_buffer> seen;  // the same on the host
    event counted;

    void prepare(std::uint64_t chunk_tiles, const stream& on) {
      tiles = chunk_tiles;
      const std::uint64_t bytes = (tiles + 1) * sizeof(emit_space);
      if (!seen || seen->size() < bytes) seen = std::make_unique<pinned_buffer>(bytes + bytes / 8);
      threads.emits = thread_emits.get<std::uint32_t>(tiles * block_threads, on);
      threads.bytes = stores_bytes<Task> ? thread_bytes.get<std::uint64_t>(tiles * block_threads, on) : nullptr;
    }

    void read_spaces(const stream& on) {
      check(cudaMemcpyAsync(spaces(), tile_spaces.get<emit_space>(tiles + 1, on), tiles * sizeof(emit_space),
                            cudaMemcpyDeviceToHost, on.get()),
            "reading how much a chunk emits");
      counted.record(on);
    }

    /// The space of each tile becomes the space of the tiles before it, here and on the device.
    void place_tiles(const stream& on) {
      emit_space before;
      for (std::uint64_t i = 0; i < tiles; ++i) {
        const emit_space own = spaces()[i];
        spaces()[i] = before;
        before += own;
      }
      spaces()[tiles] = before;
      if (before.emits == 0) return;  // nobody will wait for the copy
      check(cudaMemcpyAsync(tile_spaces.get<emit_space>(tiles + 1, on), spaces(),
                            (tiles + 1) * sizeof(emit_space), cudaMemcpyHostToDevice, on.get()),
            "writing the places of a chunk's emits");
    }

    [[nodiscard]] emit_space* spaces() const { return seen->as<emit_space>(); }
  };

  void set_limit() {
    if (limit_.memory > 0) return;
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the device's free memory");
    // An eighth stays for the chunks and for everybody else.
    allowed_ = options_.table_bytes > 0 ? options_.table_bytes : free_bytes / 8 * 7;
    limit_ = {allowed_ - allowed_ / scratch::spare, bytes_per_emit, is_sorted ? 2u : 1u};
  }

  /// The piece of a chunk that begins at a tile; returns where the next one begins.
  [[nodiscard]] std::uint64_t run_piece(open_chunk& from, std::uint64_t begin, runs& found) {
    std::uint64_t end = piece_end(from.spaces(), begin, from.tiles, limit_);
    while (end > begin) {
      const emit_space space = from.spaces()[end] - from.spaces()[begin];
      if (space.emits == 0) return end;
      try {
        // Runs are ordered by their offsets; a chunk has at least as many units as tiles.
        found.runs.push_back({from.part.source, from.part.offset + begin, {}});
        run_tiles(from, begin, end, space, found);
        return end;
      } catch (const device_out_of_memory&) {
        // Less memory was free than it seemed, or keys collide and need more.
        found.runs.pop_back();
        work_.wait();
        memory_ = {};
        end = begin + (end - begin) / 2;
      }
    }
    throw out_of_memory(
        "the emits of one tile of input need " +
        std::to_string(limit_.memory_of(from.spaces()[begin + 1] - from.spaces()[begin])) +
        " bytes on the GPU, and they may take " + std::to_string(allowed_) +
        "; run on the CPU (--device cpu)");
  }

  void run_tiles(open_chunk& from, std::uint64_t begin, std::uint64_t end, const emit_space& space,
                 runs& found) {
    std::unique_ptr<char[]> stored;  // on the host
    emit_arrays<Task> to;
    if (stores_bytes<Task> && space.bytes > 0) {
      to.store = memory_.store.template get<char>(space.bytes, work_);
      to.store_later = to.store;
      if constexpr (collects) {
        stored = std::make_unique_for_overwrite<char[]>(space.bytes);
        to.store_later = stored.get();
      }
    }
    to.faults = memory_.faults.template get<std::uint32_t>(1, work_);
    check(cudaMemsetAsync(to.faults, 0, sizeof(std::uint32_t), work_.get()), "clearing a flag");
    std::vector<entry>& entries = found.runs.back().entries;
    if constexpr (collects) {
      to.entries = memory_.entries.template get<entry>(space.emits, work_);
      write(from, begin, end, to);
      entries.resize(space.emits);
      host_copy_.copy(entries.data(), to.entries, space.emits * sizeof(entry), work_);
      if (stored) host_copy_.copy(stored.get(), to.store, space.bytes, work_);
      check_faults(to.faults);
      if (stored) own(std::move(stored), space.bytes, found);
    } else {
      reduce(from, begin, end, space, to, found);
    }
  }

  void reduce(open_chunk& from, std::uint64_t begin, std::uint64_t end, const emit_space& space,
              emit_arrays<Task>& to, runs& found) {
    const auto count = static_cast<std::uint32_t>(space.emits);
    to.values = memory_.values.template get<value_type>(count, work_);
    sort_arrays pairs{};
    if constexpr (is_sorted) {
      for (unsigned i = 0; i < 2; ++i) {
        pairs.keys[i] = memory_.sort_keys[i].template get<std::uint32_t>(count, work_);
        pairs.values[i] = memory_.order[i].template get<std::uint32_t>(count, work_);
      }
      to.sort_keys = pairs.keys[0];
      to.order = pairs.values[0];
    }
    if constexpr (is_hashed) to.keys = memory_.keys.template get<compact_key>(count, work_);
    write(from, begin, end, to);

    sorted_emits sorted;
    std::uint32_t* segment_of = nullptr;
    std::uint32_t segments = 1;
    sorted.count = count;
    if constexpr (is_sorted) {
      sort_pairs(pairs, count, sort_bits(), memory_.temporary, work_);
      sorted.sort_keys = pairs.keys[0];
      sorted.order = pairs.values[0];
      sorted.keys = to.keys;
      segment_of = memory_.segment_of.template get<std::uint32_t>(count, work_);
      segments = number_segments(sorted, segment_of, memory_.temporary, work_);
    }
    check_faults(to.faults);

    auto* const reduced = memory_.entries.template get<entry>(segments, work_);
    reduce_segments(segmented_values<reduce_type>{to.values, sorted.order, segment_of, count, reduced,
                                                  memory_.carries.template get<value_type>(most_carries(count),
                                                                                           work_),
                                                  reduction_of(task_)},
                    work_);
    write_segment_keys(sorted, segment_of, reduced, sizeof(entry), work_);
    if (to.store != nullptr) bring_long_keys(reduced, segments, found);
    std::vector<entry>& entries = found.runs.back().entries;
    entries.resize(segments);
    host_copy_.copy(entries.data(), reduced, segments * sizeof(entry), work_);
  }

  void write(open_chunk& from, std::uint64_t begin, std::uint64_t end, const emit_arrays<Task>& to) {
    auto* const before = from.tile_spaces.template get<emit_space>(from.tiles + 1, work_);
    launch(write_emits<Task>, {static_cast<unsigned>(end - begin), block_threads, shared_bytes, work_.get()},
           write_arguments<Task>{task_, format_of(task_), from.part, from.threads, before, begin, to,
                                 options_.hash_mask, key_count_});
  }

  /// Copies the bytes of long keys that are left to the host and makes the keys point to them there.
  void bring_long_keys(entry* reduced, std::uint32_t segments, runs& found) {
    const strided_keys keys{reinterpret_cast<char*>(reduced), sizeof(entry), segments};
    auto* const offsets = memory_.offsets.template get<std::uint64_t>(segments + std::uint64_t{1}, work_);
    const std::uint64_t bytes = place_long_keys(keys, offsets, memory_.temporary, work_);
    if (bytes == 0) return;
    auto stored = std::make_unique_for_overwrite<char[]>(bytes);
    char* const gathered = memory_.gathered.template get<char>(bytes, work_);
    gather_long_keys(keys, offsets, gathered, stored.get(), work_);
    host_copy_.copy(stored.get(), gathered, bytes, work_);
    own(std::move(stored), bytes, found);
  }

  /// Waits for the stream.
  void check_faults(const std::uint32_t* faults) const {
    std::uint32_t seen = 0;
    check(cudaMemcpyAsync(&seen, faults, sizeof seen, cudaMemcpyDeviceToHost, work_.get()),
          "reading whether the task made a mistake");
    work_.wait();
    expects((seen & changed_emits) == 0, "map emitted something else when it saw a record again");
    expects((seen & key_range) == 0, "map emitted a dense key that is not below key_count()");
  }

  static void own(std::unique_ptr<char[]> bytes, std::uint64_t size, runs& found) {
    auto arena = std::make_shared<key_arena>();
    arena->adopt(std::move(bytes), size);
    found.arenas.push_back(std::move(arena));
  }

  static void merge(runs from, runs& into) {
    for (auto& run : from.runs) into.runs.push_back(std::move(run));
    for (auto& arena : from.arenas) into.arenas.push_back(std::move(arena));
  }

  /// 32 bits of a hash tell so many keys apart that splitting the rest costs less than another pass.
  [[nodiscard]] unsigned sort_bits() const {
    if (is_hashed) return 32;
    return key_count_ > 0 ? static_cast<unsigned>(std::bit_width(key_count_ - 1)) : 0;
  }

  /// Arrays of one piece.
  struct arrays {
    scratch values;
    scratch sort_keys[2];
    scratch order[2];
    scratch keys;
    scratch store;
    scratch segment_of;
    scratch entries;
    scratch carries;
    scratch offsets;
    scratch gathered;
    scratch temporary;
    scratch faults;
  };

  Task task_;
  backend_options options_;
  const stream& on_;
  host_parts<Task>& host_;
  std::uint64_t key_count_ = 0;
  std::uint64_t allowed_ = 0;
  piece_limit limit_;
  stream work_;
  arrays memory_;
  to_host host_copy_;
  runs finished_;
  std::deque<std::unique_ptr<open_chunk>> open_;
  std::vector<std::unique_ptr<open_chunk>> idle_;
};

}  // namespace duomap::gpu
