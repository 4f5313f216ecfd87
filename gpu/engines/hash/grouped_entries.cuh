// Brings a device's entries to host memory, grouped by the partitions of core/hash.hpp.
#pragma once

#include "core/hash.hpp"
#include "gpu/runtime/buffer.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>

namespace duomap::gpu {

/// Entries in page-locked host memory, which the link writes at full speed. One core would take ten
/// times as long to copy them to memory that it touches for the first time.
class grouped_entries {
 public:
  /// Groups `count` entries in device memory, which takes a second array of their size, and copies them to
  /// the host. count_in(counts) queues a kernel that counts the entries of each partition; group_to(places,
  /// to) queues a kernel that writes each entry to the next place of its partition.
  grouped_entries(std::uint64_t count, std::uint64_t entry_bytes, const stream& on,
                  const std::function<void(unsigned long long*)>& count_in,
                  const std::function<void(unsigned long long*, void*)>& group_to);

  [[nodiscard]] std::uint64_t size() const noexcept { return begins_.back(); }
  [[nodiscard]] std::uint64_t size(std::uint64_t partition) const noexcept {
    return begins_[partition + 1] - begins_[partition];
  }

  template <class Entry, class Use>
  void for_each_in_partition(std::uint64_t partition, const Use& use) const {
    for (std::uint64_t at = begins_[partition], end = 0; at < begins_[partition + 1]; at = end) {
      end = std::min(begins_[partition + 1], (at / piece_entries_ + 1) * piece_entries_);
      const auto* const first = pieces_[at / piece_entries_].as<const Entry>() + at % piece_entries_;
      std::for_each(first, first + (end - at), use);
    }
  }

 private:
  std::array<std::uint64_t, partition_count + 1> begins_{};  // the last is the number of all entries
  std::uint64_t piece_entries_;
  std::deque<pinned_buffer> pieces_;
};

}  // namespace duomap::gpu
