// Memory that is page-locked, as far as this process was told. host only
#pragma once

#include "core/byte_view.hpp"

#include <atomic>
#include <cstddef>
#include <shared_mutex>
#include <vector>

namespace duomap::gpu {

/// A list of ranges, which may overlap and may be there several times. Looked up by each run and for each
/// chunk, changed hardly ever. Any thread may call any method.
class locked_ranges {
 public:
  void add(byte_view range);
  /// One that was added, if it was.
  void remove(byte_view range);

  /// Whether one range holds all of `memory`: a copy that crosses from one to the next, CUDA refuses. Without
  /// a range this is one load.
  [[nodiscard]] bool hold(byte_view memory) const noexcept;

  /// Those that every feeder looks at.
  [[nodiscard]] static locked_ranges& of_this_process() {
    static locked_ranges ranges;
    return ranges;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<byte_view> all_;  // guarded by mutex_
  std::atomic<std::size_t> count_{
      0};  // of them. Relaxed: a thread that reads it late has memory carried, as always
};

}  // namespace duomap::gpu
