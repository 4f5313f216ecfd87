// Helps fuzz tests: puts the input where every byte read behind its end is noticed.
#pragma once

#include "core/byte_view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace duomap::test {

/// A copy of the input in memory of its size, so that the address sanitizer sees the byte behind it.
class exact_copy {
 public:
  exact_copy(const std::uint8_t* data, std::size_t size)
    : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {
    if (size > 0) std::memcpy(bytes_.get(), data, size);
  }
  [[nodiscard]] byte_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// Ends the program, so that libFuzzer keeps the input, when something that always holds does not.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Whether `part` lies inside `whole`.
[[nodiscard]] inline bool is_inside(byte_view part, byte_view whole) {
  return part.data >= whole.data && part.data + part.size <= whole.data + whole.size;
}

}  // namespace duomap::test
