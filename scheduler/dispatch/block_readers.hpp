// Reads blocks of streams in threads of its own, before workers ask for them.
#pragma once

#include "core/input/block.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace duomap::scheduler {

/// Lets several threads read for the few workers that take blocks. A device has only one worker to feed it,
/// and decompressing is most of the work of a compressed input. One and a half blocks per thread, and two
/// more, are ready or being read. Fewer are not enough, because a worker beside busy threads wakes up
/// milliseconds late. Any thread may call any method.
class block_readers {
 public:
  /// Reads the next block of any stream and returns the number of its source. No value: all streams have
  /// ended. Several threads call it at once.
  using read_call = std::function<std::optional<std::uint32_t>(block& into)>;

  /// `memory` provides the memory of blocks; null: ordinary memory.
  /// @throws std::system_error when the system starts no thread at all
  block_readers(unsigned threads, read_call read, block_memory* memory = nullptr);
  block_readers(const block_readers&) = delete;
  block_readers& operator=(const block_readers&) = delete;
  /// Waits for the blocks that are being read.
  ~block_readers();

  /// Exchanges `into` for a block that is ready, and returns the number of its source. No value: all streams
  /// have ended, or no block is ready and `wait` is false.
  /// @throws the exception of a reading thread; `into` then stays as it is
  [[nodiscard]] std::optional<std::uint32_t> take(block& into, bool wait);

  /// From now on, take() returns no value, even in calls that already wait.
  void stop();

 private:
  struct ready_block {
    block bytes;
    std::uint32_t source = 0;
  };

  void work();
  [[nodiscard]] bool begin_block(block& into);
  void end_block(block&& read, std::optional<std::uint32_t> source);

  read_call read_;
  block_memory* memory_;
  std::size_t most_ready_;
  std::mutex mutex_;
  std::condition_variable taken_;  // a block was taken, or reading has ended
  std::condition_variable ready_;  // a block is ready, or reading has ended
  // Guarded by mutex_.
  std::deque<ready_block> blocks_;
  std::vector<block> spare_;  // empty blocks, whose memory is reused
  std::size_t being_read_ = 0;
  std::size_t working_ = 0;  // threads that may still read a block
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // the last member, because the threads use all others
};

}  // namespace duomap::scheduler
