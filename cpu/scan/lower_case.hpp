// Copies a chunk and makes its ASCII capital letters small.
#pragma once

#include "core/chunk.hpp"
#include "core/text/letter_case.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace duomap::cpu {

/// Keeps the copy of one chunk at a time, and reuses the memory. Like every chunk, the copy has padding
/// behind it.
class lower_case_copy {
 public:
  /// The copy of a chunk with ASCII capital letters made small; valid until the next call.
  [[nodiscard]] chunk copy(const chunk& part) {
    if (bytes_.size() < part.size + read_padding) bytes_.resize(part.size + read_padding);
    char* out = bytes_.data();
    for (std::uint64_t i = 0; i < part.size; ++i) out[i] = to_lower_ascii(part.data[i]);
    chunk lowered = part;
    lowered.data = out;
    return lowered;
  }

 private:
  std::vector<char> bytes_;
};

}  // namespace duomap::cpu
