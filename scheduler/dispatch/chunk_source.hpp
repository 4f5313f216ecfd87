// Makes the chunks of an input: blocks of its streams, and slices for ranges of grains.
#pragma once

#include "core/boundary.hpp"
#include "core/chunk.hpp"
#include "core/early_stop.hpp"
#include "core/input/block.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/block_readers.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/dispatch/stream_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// The sizes of the pieces of work that executors get.
struct chunk_source_options {
  /// The largest claim of a pool's worker, in grains. With the formats' grains of 64 KiB it is 1 MiB, which
  /// takes one core 1 to 2 ms.
  std::uint32_t most_grains = 16;
  /// The largest block of a stream, in bytes, and the size of the first blocks. Blocks grow while workers
  /// need less than a millisecond for each. They begin small, because a pipe may bring few records that take
  /// long.
  std::uint64_t block_bytes = torture ? 16 : std::uint64_t{1} << 20;
  std::uint64_t first_block_bytes = block_bytes;
  /// The least number of grains of all addressable sources, if they have that number of units. A map may take
  /// long for few records, so even these are divided.
  std::uint32_t least_grains = 1;
  /// The number of threads that read blocks before workers ask. 0: the workers read the blocks themselves.
  unsigned readers = 0;
  /// The memory into which these threads read blocks; null: ordinary memory.
  block_memory* memory = nullptr;
};

/// The sizes for a pool of `workers` workers. If it maps record by record, all workers share even a few
/// records, because one record may take longer than another. The calling thread does the first grain of a
/// small input (is_small()) while the workers sleep.
[[nodiscard]] constexpr chunk_source_options options_for_pool(unsigned workers, bool maps_records,
                                                              bool small) {
  const std::uint32_t grains = std::max(workers, 16U) * (small ? 16 : 4);
  return {.first_block_bytes = 4, .least_grains = maps_records ? grains : 1};
}

/// The sizes for a run of devices without a pool. The devices' few threads copy larger pieces faster. For
/// each worker of the machine's pool, one thread reads blocks.
[[nodiscard]] constexpr chunk_source_options options_for_devices(unsigned workers,
                                                                 block_memory* memory = nullptr) {
  return {.block_bytes = torture ? 16 : std::uint64_t{4} << 20, .readers = workers, .memory = memory};
}

/// An input, divided into chunks. The addressable sources are counted in grains, one source after another,
/// and the dispatcher decides which executor gets which grains (dispatcher/grain_dispatcher.hpp). Streams are
/// handed out block by block. Any thread may call any method, but next_block() only with its own taker.
class chunk_source {
 public:
  /// The buffers in which one worker has its last blocks.
  class taker {
   public:
    /// A block stays valid until the taker has got `open_chunks` more blocks. `open_chunks` is at least 1.
    explicit taker(unsigned open_chunks = 1) : blocks_(open_chunks) {}

   private:
    friend class chunk_source;
    std::vector<block> blocks_;
    std::size_t next_block_ = 0;                   // the buffer that was filled longest ago
    std::uint64_t block_bytes_ = 0;                // chunk_source::block_bytes_ at the time of the last block
    std::chrono::steady_clock::time_point given_;  // the time of the last block
  };

  /// All arguments must outlive the work.
  /// @throws input_error when a source was read as text though records are binary; usage_error when records
  /// are indices and a source has bytes, or the other way round
  chunk_source(const input& from, const boundary& records, const chunk_source_options& options,
               const run_control* control);

  /// The next block of any stream. No value: all streams have ended, or other threads are reading all of them
  /// and `wait` is false.
  /// @throws interrupted when the run is cancelled; input_error when a source cannot be read, or was read as
  /// text though records are binary; out_of_memory
  [[nodiscard]] std::optional<chunk> next_block(taker& mine, bool wait);

  /// The number of grains of all addressable sources.
  [[nodiscard]] std::uint32_t grains() const noexcept {
    return extents_.empty() ? 0 : extents_.back().end_grain;
  }

  /// The first grains of a range, up to the end of their source.
  struct part {
    grain_range grains;
    std::optional<chunk> records;  ///< no value: no record starts in these grains
  };

  /// Requires a range that is not empty.
  /// @throws interrupted when the run is cancelled
  [[nodiscard]] part cut(grain_range grains) const;

  /// The end of an error message: "; at byte 17 of 'file'", or "; between byte 0 and 100 of 'file'" if the
  /// unit is not known.
  [[nodiscard]] std::string place_of(const chunk& of, std::optional<std::uint64_t> unit) const;

  /// Calls `map`. If map stops the run (core/early_stop.hpp), the name of the source is added to the message.
  template <class Map>
  auto name_stops_of(const Map& map) const {
    try {
      return map();
    } catch (const stopped_by_map& seen) {
      throw stopped_by_map(seen, stop_of(seen));
    }
  }

  /// From now on, next_block() returns no value, even in calls that already wait for a stream.
  void stop();
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  [[nodiscard]] bool has_streams() const noexcept { return has_streams_; }
  /// The number of units of all addressable sources. known_units(): 0 if the input also has streams.
  [[nodiscard]] std::uint64_t addressable_units() const noexcept { return addressable_units_; }
  [[nodiscard]] std::uint64_t known_units() const noexcept { return has_streams_ ? 0 : addressable_units_; }
  [[nodiscard]] std::uint64_t grain() const noexcept { return grain_; }
  [[nodiscard]] const chunk_source_options& options() const noexcept { return options_; }

 private:
  // The source whose chunks have this number.
  [[nodiscard]] const source& source_of(std::uint32_t number) const;
  [[nodiscard]] std::string stop_of(const stopped_by_map& seen) const;

  // An addressable source, and its first and last place among all grains.
  struct extent {
    std::uint32_t source;
    std::uint32_t first_grain;
    std::uint32_t end_grain;
  };

  /// Reads the next block of any stream and returns the number of its source. No value: as in next_block().
  [[nodiscard]] std::optional<std::uint32_t> read_block(block& into, bool wait);
  [[nodiscard]] std::optional<std::uint32_t> read_stream(std::unique_ptr<stream_pool::open_stream> stream,
                                                         block& into);
  void took_block(taker& mine);
  [[nodiscard]] block_readers& readers();

  const input& input_;
  const boundary& records_;
  chunk_source_options options_;
  const run_control* control_;
  std::uint64_t addressable_units_;
  std::uint64_t grain_;  // size of a grain, in units (grain_for())
  bool has_streams_;
  std::vector<extent> extents_;
  stream_pool streams_;
  // Access is relaxed, because a thread that sees the value late only does a little more work.
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> block_bytes_;  // the size of the next blocks
  std::mutex readers_mutex_;
  std::optional<block_readers>
      readers_;  // made for the first block; the last member, because it reads streams_
};

}  // namespace duomap::scheduler
