// Shares the streams of an input between workers. Only one worker at a time reads a stream, but several
// streams are read at once.
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

/// The sources of an input that can only be read in order: pipes, compressed files and small files. A worker
/// acquires a stream, reads its next block, releases the stream, and then maps the block. Meanwhile another
/// worker may read the next block. So one stream is read while its blocks are mapped, and no threads are
/// needed only for reading. If there are fewer streams than workers, the reader of a stream goes on reading,
/// and passes blocks on to waiting workers: a decompressor takes up to twice as long if its last megabytes
/// are in the caches of another core. Any thread may call any method.
class stream_pool {
 public:
  /// A stream that is being read. `reader` is null until the first reader opens it, outside the pool's lock.
  struct open_stream {
    std::uint32_t source;
    std::shared_ptr<block_reader> reader;
    std::thread::id last_reader = {};
  };

  /// `sources`: the indices of the streams in the input. `memory`: provides the blocks that readers get in
  /// exchange for passed blocks.
  explicit stream_pool(std::vector<std::uint32_t> sources, block_memory* memory = nullptr)
    : memory_(memory), unopened_(sources.begin(), sources.end()) {}

  /// The next work of a worker: a block that a reader passed on, or a stream for the worker alone, or
  /// nothing.
  struct turn {
    std::optional<std::uint32_t> source = std::nullopt;  ///< the block's source; no value: there is no block
    std::unique_ptr<open_stream> stream = nullptr;
  };

  /// Gives a passed block in exchange for `into`, or a stream. If there is no block and other workers have
  /// all streams, the call waits if `wait` is true.
  [[nodiscard]] turn take(block& into, bool wait);

  /// Passes a block of the caller's stream on to other workers, and exchanges `into` for an empty block.
  /// Blocks leave in the order in which they came. If more blocks lie ready than workers need, `into` becomes
  /// the oldest block, and its source is returned. No value: the caller goes on reading.
  [[nodiscard]] std::optional<std::uint32_t> pass_on(block& into, std::uint32_t source);

  /// Gives a stream back, after a block was read from it or, with `ended`, for good.
  void release(std::unique_ptr<open_stream> stream, bool ended);

  /// From now on, take() gives nothing.
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
  // mutex_ guards all members below.
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
