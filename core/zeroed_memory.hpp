// Zeroed memory for large tables, on huge pages where the system gives them.
// host only
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace duomap {

struct free_zeroed {
  std::size_t bytes = 0;
  void operator()(void* memory) const noexcept;
};

using zeroed_memory = std::unique_ptr<void, free_zeroed>;

/// `bytes` > 0 bytes, all zero. Memory of 2 MiB and more is mapped, aligned to huge pages, with the advice to
/// use huge pages: random probes into a 3 MiB table cost a tenth less, because it needs two entries of the
/// TLB instead of 768. Throws out_of_memory with a message that names `what` and the number of MiB.
[[nodiscard]] zeroed_memory allocate_zeroed(std::size_t bytes, const std::string& what);

/// Writes a zero into each page, for memory that will soon be written everywhere. If a page is read before it
/// is written, the system provides it twice and interrupts all other cores of the process (decision 27).
void touch(const zeroed_memory& memory) noexcept;

}  // namespace duomap
