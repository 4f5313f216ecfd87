#include "core/error.hpp"
#include "gpu/engines/hash/grouped_entries.cuh"
#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

namespace duomap::gpu {
namespace {

// Blocks have the size of staging's buffers (gpu/feed/feed_policy.hpp), so that the next run can reuse them.
constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;

void copy_to_host(void* to, const void* from, std::uint64_t bytes, const stream& on) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, on.get()),
        "copying results from the device");
}

}  // namespace

grouped_entries::grouped_entries(std::uint64_t count, std::uint64_t entry_bytes, const stream& on,
                                 const std::function<void(unsigned long long*)>& count_in,
                                 const std::function<void(unsigned long long*, void*)>& group_to)
  : piece_entries_(piece_bytes / entry_bytes) {
  if (count == 0) return;
  const device_buffer places(partition_count * sizeof(unsigned long long), on);
  const device_buffer grouped(count * entry_bytes, on);
  auto* const next_place = places.as<unsigned long long>();
  check(cudaMemsetAsync(next_place, 0, places.size(), on.get()), "clearing the partitions' counts");
  count_in(next_place);
  std::array<unsigned long long, partition_count> counts{};
  copy_to_host(counts.data(), next_place, sizeof counts, on);
  on.wait();
  for (unsigned p = 0; p < partition_count; ++p) {
    begins_[p + 1] = begins_[p] + counts[p];
    counts[p] = begins_[p];
  }
  expects(begins_.back() == count, "every entry that a device has found is in a partition");
  check(cudaMemcpyAsync(next_place, counts.data(), sizeof counts, cudaMemcpyHostToDevice, on.get()),
        "writing the partitions' places");
  group_to(next_place, grouped.as<void>());
  // Allocates all pieces before the first copy: a copy under way would outlive a failed allocation.
  for (std::uint64_t at = 0; at < count; at += piece_entries_)
    pieces_.emplace_back(std::min(piece_entries_, count - at) * entry_bytes);
  const char* from = grouped.as<const char>();
  for (const pinned_buffer& piece : pieces_) {
    copy_to_host(piece.as<void>(), from, piece.size(), on);
    from += piece.size();
  }
  on.wait();
}

}  // namespace duomap::gpu
