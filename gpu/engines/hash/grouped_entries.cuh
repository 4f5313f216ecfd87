// Brings what a device has found to host memory, grouped by the partitions of core/hash.hpp.
#pragma once

#include "core/hash.hpp"
#include "gpu/runtime/buffer.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>

namespace duomap::gpu {

/// Entries in page-locked host memory, where the link writes them at its full speed: a million of 16 bytes
/// take 0.3 ms there, and one core that copies them to memory that is touched for the first time 3 to 4.
class grouped_entries {
 public:
  /// Of a device, which needs as much memory again. count_in(counts) queues a kernel that adds up how many
  /// each partition has, group_to(places, to) one that writes each entry to the next place of its partition.
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
  std::array<std::uint64_t, partition_count + 1> begins_{};  // the last is the number of all
  std::uint64_t piece_entries_;
  std::deque<pinned_buffer> pieces_;
};

}  // namespace duomap::gpu
