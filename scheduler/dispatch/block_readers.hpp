// Threads that read blocks of streams before they are asked for.
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

/// Reads with several threads what one thread takes: decompressing is most of the work of a compressed input,
/// and a device has one thread to feed it. So many blocks as there are threads, half as many again, and two,
/// are ready or being read: beside busy threads the one that takes them is woken milliseconds late. Any
/// thread may call any method.
class block_readers {
 public:
  /// Reads the next block of any stream and returns the number of its source; nothing when all have ended.
  /// Called by several threads at once.
  using read_call = std::function<std::optional<std::uint32_t>(block& into)>;

  /// `memory`: of the blocks; null: ordinary memory.
  /// @throws std::system_error when the system starts no thread at all
  block_readers(unsigned threads, read_call read, block_memory* memory = nullptr);
  block_readers(const block_readers&) = delete;
  block_readers& operator=(const block_readers&) = delete;
  /// Waits for what is being read.
  ~block_readers();

  /// Exchanges `into` for a block that is ready, and returns the number of its source. Nothing when all
  /// streams have ended, or, unless `wait`, when no block is ready.
  /// @throws what reading threw; the block that `into` was stays as it is
  [[nodiscard]] std::optional<std::uint32_t> take(block& into, bool wait);

  /// Makes every take() return nothing from now on, also those that wait.
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
  std::condition_variable taken_;  // a block was, or the end
  std::condition_variable ready_;  // a block is, or none will be
  // Guarded by mutex_.
  std::deque<ready_block> blocks_;
  std::vector<block> spare_;  // their memory is used again
  std::size_t being_read_ = 0;
  std::size_t working_ = 0;  // threads that may give more
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // the last: they use all of the above
};

}  // namespace duomap::scheduler
