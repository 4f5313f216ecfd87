// Zeroed memory for large tables, on huge pages where the system gives them.
// host only
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace duomap {

/// Frees memory from allocate_zeroed().
struct free_zeroed {
  std::size_t bytes = 0;
  void operator()(void* memory) const noexcept;
};

/// Owns zeroed memory.
using zeroed_memory = std::unique_ptr<void, free_zeroed>;

/// `bytes` > 0 bytes, all zero. From 2 MiB on the memory comes straight from the system, aligned to and
/// advised for huge pages: probing a 3 MiB table at random costs a tenth less when it needs two entries of
/// the TLB and not 768. Throws out_of_memory with a message that names `what` and the number of MiB.
[[nodiscard]] zeroed_memory allocate_zeroed(std::size_t bytes, const std::string& what);

/// Writes a zero into each page of memory that is soon written everywhere: a page that is read first is
/// provided twice, and all other cores of the process are interrupted (decision 27).
void touch(const zeroed_memory& memory) noexcept;

}  // namespace duomap
