// Shares the streams of an input between workers: each is read by one worker at a time, many are read at
// once.
#pragma once

#include "core/boundary.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/input.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace duomap::scheduler {

/// The sources of an input that can only be read in order (pipes, compressed and small files). A worker
/// acquires a stream, reads its next block, releases it, and then works on the block while another worker may
/// read the next one: reading one stream overlaps with mapping it, and several streams are read at once,
/// without threads or queues of their own. Any thread may call any method.
class stream_pool {
 public:
  /// A stream being read. `reader` is null until its first reader opens it, outside the pool's lock.
  struct open_stream {
    std::uint32_t source;
    std::shared_ptr<block_reader> reader;
  };

  /// `sources` are indices of streams in the input.
  explicit stream_pool(std::vector<std::uint32_t> sources) : unopened_(sources.begin(), sources.end()) {}

  /// A stream for the caller alone, null if there is none. When all streams are in other hands, waits for one
  /// if `wait`.
  [[nodiscard]] std::unique_ptr<open_stream> acquire(bool wait);

  /// Gives a stream back after a block was read from it, or for good when it has `ended`.
  void release(std::unique_ptr<open_stream> stream, bool ended);

  /// Makes every acquire() return null from now on.
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  // All below: guarded by mutex_.
  std::deque<std::uint32_t> unopened_;
  std::deque<std::unique_ptr<open_stream>> idle_;
  std::uint32_t in_use_ = 0;
  bool stopped_ = false;
};

}  // namespace duomap::scheduler
