// Declares functions that map chunks on a GPU, for test files in plain C++.
#pragma once

#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::tests {

/// The number of emits, and a sum that depends on every byte of their keys and on their values.
struct emit_checksum {
  std::uint64_t emits = 0;
  std::uint64_t keys = 0;
  friend bool operator==(const emit_checksum&, const emit_checksum&) = default;
};

[[nodiscard]] emit_checksum checksum_on_host(const apps::wordcount& task, const chunk& part);

/// One checksum for each chunk; one device thread maps a chunk. Offsets of chunks count from `text`.
[[nodiscard]] std::vector<emit_checksum> checksums_on_device(const apps::wordcount& task,
                                                             const std::string& text,
                                                             std::vector<chunk> chunks);

}  // namespace duomap::tests
