// Gives the pages of a mapped file back, on several threads where that takes long.
// host only
#pragma once

#include <cstdint>

namespace duomap {

/// The rule that decides when more threads help.
struct unmap_rule {
  std::uint64_t piece_bytes = std::uint64_t{16} << 20;
  /// Threads are started when the first piece took this time, which is longer than a thread takes to start. A
  /// piece takes a microsecond when nobody has read it, and 600 microseconds when it was read in pages of 4
  /// KiB.
  double seconds_worth_threads = 100e-6;
};

/// Unmaps whole pages of address space, as munmap() does. munmap() forgets page after page: on one thread
/// that takes most of the time that the workers of a large machine need for reading the file.
void unmap(const char* begin, std::uint64_t length, const unmap_rule& by = {}) noexcept;

}  // namespace duomap
