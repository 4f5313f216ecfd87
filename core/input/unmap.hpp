// Removes the mapping of a file, on several threads if that takes long.
// host only
#pragma once

#include <cstdint>

namespace duomap {

/// Says when more threads help to remove a mapping.
struct unmap_rule {
  std::uint64_t piece_bytes = std::uint64_t{16} << 20;
  /// More threads are started if the first piece took longer than this, which is more than a thread's start
  /// takes. A piece takes 1 microsecond if nobody has read it, and 600 if it was read in pages of 4 KiB.
  double seconds_worth_threads = 100e-6;
};

/// Unmaps whole pages of address space, as munmap() does. munmap() drops page after page on one thread. On a
/// large machine that takes most of the time in which all workers read the file.
void unmap(const char* begin, std::uint64_t length, const unmap_rule& by = {}) noexcept;

}  // namespace duomap
