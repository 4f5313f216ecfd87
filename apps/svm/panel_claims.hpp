// Who classifies which panels of rows: a GPU several from the front, workers of the CPU single ones from the
// back, until they meet. host only
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>

namespace duomap {

/// Consecutive panels.
struct panel_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The panels of one input that nobody has taken. Any thread.
class panel_claims {
 public:
  explicit panel_claims(std::uint64_t panels) : end_(panels) {}

  /// From the front, `most` of them if there are so many; count 0: there are none.
  [[nodiscard]] panel_range take_front(std::uint64_t most) {
    const std::scoped_lock lock(mutex_);
    const panel_range taken{begin_, std::min(most, end_ - begin_)};
    begin_ += taken.count;
    return taken;
  }

  [[nodiscard]] std::optional<std::uint64_t> take_back() {
    const std::scoped_lock lock(mutex_);
    if (begin_ == end_) return std::nullopt;
    return --end_;
  }

  /// What take_front() gave last, and nobody did.
  void give_back(const panel_range& taken) {
    const std::scoped_lock lock(mutex_);
    begin_ -= taken.count;
  }

  [[nodiscard]] std::uint64_t left() {
    const std::scoped_lock lock(mutex_);
    return end_ - begin_;
  }

 private:
  std::mutex mutex_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_;
};

}  // namespace duomap
