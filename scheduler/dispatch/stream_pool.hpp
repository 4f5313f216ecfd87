// Shares the streams of an input between workers: each is read by one worker at a time, many are read at
// once.
#pragma once

#include "core/input/block.hpp"
#include "core/input/block_memory.hpp"
#include "core/input/block_reader.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace duomap::scheduler {

/// The sources of an input that can only be read in order (pipes, compressed and small files). A worker
/// acquires a stream, reads its next block, releases it, and then works on the block while another worker may
/// read the next one: reading one stream overlaps with mapping it, and several streams are read at once,
/// without threads of their own. Where there are fewer streams than workers, the reader of a stream passes
/// blocks on to those that wait, and goes on reading: a decompressor whose last megabytes lie in the caches
/// of another core takes up to twice as long. Any thread may call any method.
class stream_pool {
 public:
  /// A stream being read. `reader` is null until its first reader opens it, outside the pool's lock.
  struct open_stream {
    std::uint32_t source;
    std::shared_ptr<block_reader> reader;
    std::thread::id last_reader = {};
  };

  /// `sources` are indices of streams in the input; `memory`: of the blocks that readers get for those that
  /// they pass on.
  explicit stream_pool(std::vector<std::uint32_t> sources, block_memory* memory = nullptr)
    : memory_(memory), unopened_(sources.begin(), sources.end()) {}

  /// A block that a reader has passed on, or a stream for the caller alone, or neither.
  struct turn {
    std::optional<std::uint32_t> source = std::nullopt;  ///< of the block
    std::unique_ptr<open_stream> stream = nullptr;
  };

  /// Exchanges `into` for a block that was passed on, or gives a stream. When there are no blocks and all
  /// streams are in other hands, waits if `wait`.
  [[nodiscard]] turn take(block& into, bool wait);

  /// Passes on a block of the stream that the caller holds, and exchanges `into` for another one. Blocks
  /// leave in the order in which they came: when there are more than are waited for, `into` becomes the
  /// oldest, and its source is returned. Nothing: the caller goes on reading.
  [[nodiscard]] std::optional<std::uint32_t> pass_on(block& into, std::uint32_t source);

  /// Gives a stream back after a block was read from it, or for good when it has `ended`.
  void release(std::unique_ptr<open_stream> stream, bool ended);

  /// Makes every take() give nothing from now on.
  void stop();

 private:
  struct passed_block {
    block bytes;
    std::uint32_t source = 0;
  };

  [[nodiscard]] std::unique_ptr<open_stream> free_stream(bool mine_only);
  std::uint32_t take_oldest(block& into);
  [[nodiscard]] std::size_t most_passed() const;

  block_memory* memory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // All below: guarded by mutex_.
  std::deque<std::uint32_t> unopened_;
  std::deque<std::unique_ptr<open_stream>> idle_;
  std::uint32_t in_use_ = 0;
  std::deque<passed_block> passed_;
  std::vector<block> spare_;
  std::size_t waiting_ = 0;
  bool any_waited_ = false;
  bool stopped_ = false;
};

}  // namespace duomap::scheduler
