// Maps anonymous memory on huge pages, and touches each page.
#include "gpu/runtime/huge_pages.hpp"

#include <sys/mman.h>

namespace duomap::gpu {
namespace {

constexpr std::uint64_t small_page_bytes = 4096;

}  // namespace

huge_pages::huge_pages(std::uint64_t bytes) {
  const std::uint64_t reserved = bytes + page_bytes;
  void* const all = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return;
  char* const first = static_cast<char*>(all);
  const std::uint64_t before =
      (page_bytes - reinterpret_cast<std::uintptr_t>(first) % page_bytes) % page_bytes;
  data_ = first + before;
  bytes_ = bytes;
  if (before > 0) ::munmap(first, before);
  ::munmap(data_ + bytes, page_bytes - before);
  // Without huge pages the memory works too, but more slowly.
  static_cast<void>(::madvise(data_, bytes, MADV_HUGEPAGE));
  for (std::uint64_t at = 0; at < bytes; at += small_page_bytes) static_cast<volatile char*>(data_)[at] = 0;
}

huge_pages::~huge_pages() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace duomap::gpu
