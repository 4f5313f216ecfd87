// Puts bytes between unreadable pages, so that a read beyond them is a fault in every build.
#pragma once

#include "core/byte_view.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace duomap::test {

/// A copy of bytes with exactly `readable_behind` readable bytes behind it, none of them zero.
class guarded_bytes {
 public:
  explicit guarded_bytes(std::string_view content, std::size_t readable_behind = 0) : size_(content.size()) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t used = content.size() + readable_behind;
    const std::size_t usable = (used + page - 1) / page * page;
    mapped_ = usable + 2 * page;
    void* const memory = ::mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no address space for guarded bytes");
    memory_ = static_cast<char*>(memory);
    if (usable > 0 && ::mprotect(memory_ + page, usable, PROT_READ | PROT_WRITE) != 0) {
      ::munmap(memory_, mapped_);
      throw std::runtime_error("no memory for guarded bytes");
    }
    data_ = memory_ + page + usable - used;
    if (usable > 0) std::memset(memory_ + page, 'x', usable);
    if (!content.empty()) std::memcpy(data_, content.data(), content.size());
  }
  guarded_bytes(const guarded_bytes&) = delete;
  guarded_bytes& operator=(const guarded_bytes&) = delete;
  ~guarded_bytes() { ::munmap(memory_, mapped_); }

  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] byte_view view() const noexcept { return {data_, size_}; }

 private:
  std::size_t size_;
  std::size_t mapped_ = 0;
  char* memory_ = nullptr;
  char* data_ = nullptr;
};

}  // namespace duomap::test
