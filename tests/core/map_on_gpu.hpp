// Maps chunks on a device, for tests written in plain C++.
#pragma once

#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::tests {

/// Number of emits, and a sum over them that depends on every byte of every key and on the values.
struct emit_checksum {
  std::uint64_t emits = 0;
  std::uint64_t keys = 0;
  friend bool operator==(const emit_checksum&, const emit_checksum&) = default;
};

[[nodiscard]] emit_checksum checksum_on_host(const apps::wordcount& task, const chunk& part);

/// One checksum per chunk, each mapped by one device thread; the chunks' offsets are positions in `text`.
[[nodiscard]] std::vector<emit_checksum> checksums_on_device(const apps::wordcount& task,
                                                             const std::string& text,
                                                             std::vector<chunk> chunks);

}  // namespace duomap::tests
