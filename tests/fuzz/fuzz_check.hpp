// Helpers for fuzz tests: a copy of the input behind which no byte can be read, and checks.
#pragma once

#include "core/byte_view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace duomap::test {

/// A copy of the input in memory of exactly its size, so that the address sanitizer sees reads behind it.
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

/// Ends the program if `holds` is false, so that libFuzzer keeps the input.
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
