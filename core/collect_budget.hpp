// How much memory the collected emits of a run may take: what does not fit ends in an error that says so.
// host only
#pragma once

#include "core/error.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace duomap {

/// What is collected has more bytes than it may. Not an out_of_memory, after which a device's work is given
/// to others: there it would need as much.
class collected_too_much : public error {
 public:
  explicit collected_too_much(const std::string& message) : error(exit_status::out_of_memory, message) {}
};

/// Shared by all backends of a run; any thread may call any method.
class collect_budget {
 public:
  /// `bytes` for everything; each byte that is collected is held `copies` times in the end.
  explicit collect_budget(std::uint64_t bytes, std::uint64_t copies = 1)
    : limit_(bytes), copies_(copies), left_(bytes / copies) {}

  /// Before memory for `bytes` bytes of emits is asked for.
  /// @throws collected_too_much
  void take(std::uint64_t bytes) {
    std::uint64_t left = left_.load(std::memory_order_relaxed);
    while (bytes <= left && !left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed)) {
    }
    if (bytes <= left) return;
    throw collected_too_much(
        "what the run collects takes more than the " + std::to_string(limit_) + " bytes of memory it may" +
        (copies_ > 1 ? ", " + std::to_string(copies_) + " times its size while it is sorted" : "") +
        "; collect less, process the input in parts, or raise the limit (--limit; the "
        "default is three quarters of the free memory)");
  }

  /// When memory that was taken for emits is free again, because others will collect them.
  void give_back(std::uint64_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  std::uint64_t limit_;
  std::uint64_t copies_;
  std::atomic<std::uint64_t> left_;
};

/// What a device has taken since it last committed, which it may lose. Used by one thread.
class collect_share {
 public:
  /// Of `all`; null: there is no limit.
  explicit collect_share(std::shared_ptr<collect_budget> all) : all_(std::move(all)) {}
  collect_share(const collect_share&) = delete;
  collect_share& operator=(const collect_share&) = delete;
  /// Gives back what was not kept.
  ~collect_share() { give_back(); }

  /// @throws collected_too_much
  void take(std::uint64_t bytes) {
    if (!all_) return;
    all_->take(bytes);
    taken_ += bytes;
  }

  /// What was taken stays so: it is part of the result.
  void keep() noexcept { taken_ = 0; }

  /// What was taken since the last keep() is free again.
  void give_back() noexcept {
    if (all_) all_->give_back(std::exchange(taken_, 0));
  }

 private:
  std::shared_ptr<collect_budget> all_;
  std::uint64_t taken_ = 0;
};

}  // namespace duomap
