// What is left to do of an input, handed out chunk by chunk.
#pragma once

#include "core/boundary.hpp"
#include "core/chunk.hpp"
#include "core/input/block.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "scheduler/interval.hpp"
#include "scheduler/stream_pool.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// How finely work is handed out.
struct work_options {
  /// Threads of control that will take chunks, `large_takers` among them.
  unsigned takers = 1;
  /// Grains a claim takes at most: with the formats' 64 KiB grains 1 MiB, 1 to 2 ms for one core. Claims
  /// shrink towards the end of the input, so that all takers end together.
  std::uint32_t most_grains = 16;
  /// Takers that claim more than leaves (executor::claim_bytes()).
  unsigned large_takers = 0;
  /// Bytes of a block read from a stream.
  std::uint64_t block_bytes = torture ? 16 : std::uint64_t{1} << 20;
};

/// All chunks of an input, each handed out once. Any thread may call next() with a taker of its own.
class work {
 public:
  /// What one thread of control needs to take chunks: the rest of its last claim, and the buffers of its last
  /// blocks. One claim for all open chunks: with one for each, the rest of a claim over several sources would
  /// be left behind when the grains run out.
  class taker {
   public:
    /// A chunk from a stream stays valid until the taker has given `open_chunks` (at least 1) more.
    /// `claim_bytes`: executor::claim_bytes() of whom it is for.
    explicit taker(unsigned open_chunks = 1, std::uint64_t claim_bytes = 0)
      : claim_bytes_(claim_bytes), blocks_(open_chunks) {}

   private:
    friend class work;
    std::uint64_t claim_bytes_;
    grain_range claimed_;
    std::vector<block> blocks_;
    std::size_t next_block_ = 0;  // the one whose chunk was given longest ago
  };

  /// All arguments must outlive the work.
  work(const input& from, const boundary& records, const work_options& options, const run_control* control);

  /// The next chunk; nothing when all are handed out. A chunk from an addressable source comes after the
  /// streams, because those are read one block after another and may be what the run waits for in the end.
  /// @throws interrupted when the run is cancelled; input_error when a source cannot be read; out_of_memory
  [[nodiscard]] std::optional<chunk> next(taker& mine);

  /// Makes every next() return nothing from now on, also those that wait for a stream.
  void stop();

  /// Units of all sources, if all are addressable; else 0.
  [[nodiscard]] std::uint64_t known_units() const noexcept { return known_units_; }

 private:
  // An addressable source and its place among all grains.
  struct extent {
    std::uint32_t source;
    std::uint32_t first_grain;
    std::uint32_t end_grain;
  };

  [[nodiscard]] std::optional<chunk> next_block(taker& mine, bool wait);
  [[nodiscard]] std::optional<chunk> next_slice(taker& mine);
  [[nodiscard]] grain_range claim(const taker& mine) noexcept;

  const input& input_;
  const boundary& records_;
  work_options options_;
  const run_control* control_;
  std::uint64_t grain_;
  std::uint64_t known_units_ = 0;
  std::vector<extent> extents_;
  stream_pool streams_;
  interval grains_;
  std::atomic<bool> stopped_{false};
};

}  // namespace duomap::scheduler
