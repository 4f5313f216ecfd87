// Drops a mapping's pages piece by piece. Uses several threads if the first piece takes long.
#include "core/input/unmap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

namespace duomap {

void unmap(const char* begin, std::uint64_t length, const unmap_rule& by) noexcept {
  char* const pages = const_cast<char*>(begin);
  std::atomic<std::uint64_t> next{0};
  const auto forget_piece = [&] {
    const std::uint64_t at = next.fetch_add(by.piece_bytes, std::memory_order_relaxed);
    if (at >= length) return false;
    ::madvise(pages + at, std::min(by.piece_bytes, length - at), MADV_DONTNEED);
    return true;
  };
  const auto forget_rest = [&] {
    while (forget_piece()) {
    }
  };
  const auto seconds_of_piece = [&] {
    const auto start = std::chrono::steady_clock::now();
    forget_piece();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (length > by.piece_bytes && seconds_of_piece() > by.seconds_worth_threads) {
    std::vector<std::jthread> helpers;
    try {
      const std::uint64_t most = std::min<std::uint64_t>(std::thread::hardware_concurrency(),
                                                         (length + by.piece_bytes - 1) / by.piece_bytes);
      while (helpers.size() + 1 < most) helpers.emplace_back(forget_rest);
    } catch (const std::exception&) {
      // If the system starts no more threads, this thread and those already started drop the pages.
    }
    forget_rest();
  }
  ::munmap(pages, length);
}

}  // namespace duomap
