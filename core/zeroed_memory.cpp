// Maps large memory, aligned to huge pages. Takes small memory from calloc().
#include "core/zeroed_memory.hpp"

#include "core/error.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace duomap {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void* map_aligned(std::size_t bytes) {
  // The kernel aligns to small pages only. So one more huge page is mapped, and both ends are given back.
  const std::size_t mapped = bytes + huge_page;
  void* memory =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* begin = static_cast<char*>(memory);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) ::munmap(begin, before);
  const std::size_t behind = mapped - before - bytes;
  if (behind > 0) ::munmap(begin + before + bytes, behind);
  ::madvise(begin + before, bytes, MADV_HUGEPAGE);  // only advice, which the system may refuse
  return begin + before;
}

constexpr std::size_t page = 4096;

constexpr std::size_t round_up_to_page(std::size_t bytes) { return (bytes + page - 1) / page * page; }

}  // namespace

void free_zeroed::operator()(void* memory) const noexcept {
  if (bytes >= huge_page) {
    ::munmap(memory, round_up_to_page(bytes));
  } else {
    std::free(memory);
  }
}

zeroed_memory allocate_zeroed(std::size_t bytes, const std::string& what) {
  void* memory = bytes >= huge_page ? map_aligned(round_up_to_page(bytes)) : std::calloc(bytes, 1);
  if (memory == nullptr) {
    throw out_of_memory(what + " needs " + std::to_string((bytes + (1u << 20) - 1) >> 20) +
                        " MiB more than the system has; free memory, or raise the limit (ulimit -v, cgroup)");
  }
  return {memory, free_zeroed{bytes}};
}

void touch(const zeroed_memory& memory) noexcept {
  auto* const begin = static_cast<volatile char*>(memory.get());
  const std::size_t bytes = memory.get_deleter().bytes;
  for (std::size_t at = 0; at < bytes; at += page) begin[at] = 0;
  if (bytes > 0) begin[bytes - 1] = 0;
}

}  // namespace duomap
