// Limits the memory of a run: a run that needs more ends with an error, before the system kills the process.
// host only
#pragma once

#include "core/error.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace duomap {

/// A run needs more memory than its budget. This is no out_of_memory: after out_of_memory other executors
/// repeat a device's work, but here they would need as much memory.
class memory_exceeded : public error {
 public:
  explicit memory_exceeded(const std::string& message) : error(exit_status::out_of_memory, message) {}
};

/// The memory budget of one run. All that grows with the number of keys shares it: tables, keys, rows,
/// partials, results. Memory is taken from it before it is allocated. Any thread may call any method.
class memory_budget {
 public:
  /// A budget of `bytes` in all. A byte that is taken counts `copies` times, because a later stage copies it.
  explicit memory_budget(std::uint64_t bytes, std::uint64_t copies = 1)
    : copies_(copies), limit_(bytes), most_(bytes / copies) {}

  /// A budget of all free memory. `free` is called when the run has taken its first MiB; runs that need less
  /// never call it, because the call takes longer than the shortest runs.
  explicit memory_budget(std::function<std::uint64_t()> free, std::uint64_t copies = 1)
    : copies_(copies), free_(std::move(free)), limit_(unasked_bytes), most_(unasked_bytes / copies) {}

  /// `what` names the memory in the message: "a table of keys".
  /// @throws memory_exceeded
  void take(std::uint64_t bytes, const char* what);

  void give_back(std::uint64_t bytes) noexcept { taken_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t unasked_bytes = std::uint64_t{1} << 20;

  void ask();

  std::uint64_t copies_;
  std::function<std::uint64_t()> free_;
  std::once_flag asked_;
  std::atomic<std::uint64_t> limit_;
  std::atomic<std::uint64_t> most_;  // limit_ / copies_
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace duomap
