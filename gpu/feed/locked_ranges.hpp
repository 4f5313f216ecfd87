// The list of memory ranges that this process knows to be page-locked. host only
#pragma once

#include "core/byte_view.hpp"

#include <atomic>
#include <cstddef>
#include <shared_mutex>
#include <vector>

namespace duomap::gpu {

/// A list of ranges, which may overlap and may occur several times. Each run and each chunk searches the
/// list, which rarely changes. Any thread may call any method.
class locked_ranges {
 public:
  void add(byte_view range);
  /// Removes one occurrence of the range, if the list has it.
  void remove(byte_view range);

  /// Whether one range holds all of `memory`, because CUDA refuses a copy that crosses from one range to the
  /// next. With an empty list, the call costs one load.
  [[nodiscard]] bool hold(byte_view memory) const noexcept;

  /// The list that every feeder searches.
  [[nodiscard]] static locked_ranges& of_this_process() {
    static locked_ranges ranges;
    return ranges;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<byte_view> all_;  // guarded by mutex_
  // The size of all_. Relaxed: a thread that reads an old number lets staging threads carry the memory.
  std::atomic<std::size_t> count_{0};
};

}  // namespace duomap::gpu
