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

/// The sizes in which work is handed out.
struct chunk_source_options {
  /// The largest claim of a pool's worker, in grains: 1 MiB with the formats' 64 KiB grains, 1 to 2 ms for
  /// one core.
  std::uint32_t most_grains = 16;
  /// The largest size of a block of a stream, and the size of the first blocks. Blocks grow while their
  /// takers are done with them in less than a millisecond: a pipe may bring few records, each of which takes
  /// long.
  std::uint64_t block_bytes = torture ? 16 : std::uint64_t{1} << 20;
  std::uint64_t first_block_bytes = block_bytes;
  /// The least number of grains for the addressable sources, if they have that many units: a map may take
  /// long for few records.
  std::uint32_t least_grains = 1;
  /// The number of threads that read blocks ahead of takers; 0: takers read them.
  unsigned readers = 0;
  /// The memory in which these threads put blocks; null: ordinary memory.
  block_memory* memory = nullptr;
};

/// The sizes for a pool of `workers` workers. If it maps record by record, all workers share even a few
/// records, and one record may take longer than another. The caller does the first grain of a small input
/// (is_small()), while the workers sleep.
[[nodiscard]] constexpr chunk_source_options options_for_pool(unsigned workers, bool maps_records,
                                                              bool small) {
  const std::uint32_t grains = std::max(workers, 16U) * (small ? 16 : 4);
  return {.first_block_bytes = 4, .least_grains = maps_records ? grains : 1};
}

/// The sizes for a run of devices alone, whose threads are few and copy larger pieces faster. One thread for
/// each worker of the machine's pool reads blocks.
[[nodiscard]] constexpr chunk_source_options options_for_devices(unsigned workers,
                                                                 block_memory* memory = nullptr) {
  return {.block_bytes = torture ? 16 : std::uint64_t{4} << 20, .readers = workers, .memory = memory};
}

/// An input as chunks. Its addressable sources are counted in grains, one source after another; the
/// dispatcher decides which executor has which grains (dispatcher/grain_dispatcher.hpp). Its streams are
/// handed out block by block. Any thread may call any method, next_block() with a taker of its own.
class chunk_source {
 public:
  /// The buffers of the last blocks of one worker.
  class taker {
   public:
    /// A block stays valid until the taker has got `open_chunks` (at least 1) more blocks.
    explicit taker(unsigned open_chunks = 1) : blocks_(open_chunks) {}

   private:
    friend class chunk_source;
    std::vector<block> blocks_;
    std::size_t next_block_ = 0;                   // the buffer whose chunk was given longest ago
    std::uint64_t block_bytes_ = 0;                // chunk_source::block_bytes_ when the last block was given
    std::chrono::steady_clock::time_point given_;  // when the last block was given
  };

  /// All arguments must outlive the work.
  /// @throws input_error when a source was read as text though records are binary; usage_error when records
  /// are indices and a source has bytes, or the other way round
  chunk_source(const input& from, const boundary& records, const chunk_source_options& options,
               const run_control* control);

  /// The next block of any stream. Nothing when all streams have ended, or, unless `wait`, when other threads
  /// are reading all of them.
  /// @throws interrupted when the run is cancelled; input_error when a source cannot be read, or was read as
  /// text though records are binary; out_of_memory
  [[nodiscard]] std::optional<chunk> next_block(taker& mine, bool wait);

  /// The number of grains of all addressable sources.
  [[nodiscard]] std::uint32_t grains() const noexcept {
    return extents_.empty() ? 0 : extents_.back().end_grain;
  }

  /// The first grains of a range, as far as they lie in one source.
  struct part {
    grain_range grains;
    std::optional<chunk> records;  ///< nothing when no record starts there
  };

  /// Requires a range that is not empty.
  /// @throws interrupted when the run is cancelled
  [[nodiscard]] part cut(grain_range grains) const;

  /// The end of a message: "; at byte 17 of 'file'" or, when the unit is not known, "; between byte 0 and 100
  /// of 'file'".
  [[nodiscard]] std::string place_of(const chunk& of, std::optional<std::uint64_t> unit) const;

  /// Calls `map`. If that stops the run (core/early_stop.hpp), the message gets the name of the source.
  template <class Map>
  auto name_stops_of(const Map& map) const {
    try {
      return map();
    } catch (const stopped_by_map& seen) {
      throw stopped_by_map(seen, stop_of(seen));
    }
  }

  /// Makes every next_block() return nothing from now on, also the calls that wait for a stream.
  void stop();
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  [[nodiscard]] bool has_streams() const noexcept { return has_streams_; }
  /// The units of all addressable sources. known_units(): 0 if there are streams, too.
  [[nodiscard]] std::uint64_t addressable_units() const noexcept { return addressable_units_; }
  [[nodiscard]] std::uint64_t known_units() const noexcept { return has_streams_ ? 0 : addressable_units_; }
  [[nodiscard]] std::uint64_t grain() const noexcept { return grain_; }
  [[nodiscard]] const chunk_source_options& options() const noexcept { return options_; }

 private:
  // The source whose chunks carry the number.
  [[nodiscard]] const source& source_of(std::uint32_t number) const;
  [[nodiscard]] std::string stop_of(const stopped_by_map& seen) const;

  // An addressable source and its place among all grains.
  struct extent {
    std::uint32_t source;
    std::uint32_t first_grain;
    std::uint32_t end_grain;
  };

  /// Reads the next block of any stream and returns its source; nothing as next_block().
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
  std::uint64_t grain_;  // the format's grain, or a smaller or larger one (grain_for())
  bool has_streams_;
  std::vector<extent> extents_;
  stream_pool streams_;
  // Reads and writes are relaxed: a thread that reads it late only does a little more work.
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> block_bytes_;  // the size of the next blocks
  std::mutex readers_mutex_;
  std::optional<block_readers>
      readers_;  // made for the first block; the last member, since it reads streams_
};

}  // namespace duomap::scheduler
