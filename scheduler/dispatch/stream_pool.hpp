// Shares the streams of an input between workers: one worker at a time reads a stream, several streams are
// read at once.
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
/// without threads of their own. If there are fewer streams than workers, the reader of a stream passes
/// blocks on to waiting workers and reads on: a decompressor whose last megabytes lie in the caches of
/// another core takes up to twice as long. Any thread may call any method.
class stream_pool {
 public:
  /// A stream being read. `reader` is null until its first reader opens it, outside the pool's lock.
  struct open_stream {
    std::uint32_t source;
    std::shared_ptr<block_reader> reader;
    std::thread::id last_reader = {};
  };

  /// `sources` are indices of streams in the input. `memory` is for the blocks that readers get in exchange
  /// for passed ones.
  explicit stream_pool(std::vector<std::uint32_t> sources, block_memory* memory = nullptr)
    : memory_(memory), unopened_(sources.begin(), sources.end()) {}

  /// The next work of a worker: a block that a reader has passed on, or a stream for the worker alone, or
  /// nothing.
  struct turn {
    std::optional<std::uint32_t> source = std::nullopt;  ///< of the block
    std::unique_ptr<open_stream> stream = nullptr;
  };

  /// Exchanges `into` for a block that was passed on, or gives a stream. When there are no blocks and others
  /// have all streams, waits if `wait`.
  [[nodiscard]] turn take(block& into, bool wait);

  /// Passes on a block of the stream that the caller holds, and exchanges `into` for another one. Blocks
  /// leave in the order in which they came: when more blocks wait than workers need, `into` becomes the
  /// oldest, and its source is returned. Nothing: the caller reads on.
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
