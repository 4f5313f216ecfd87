// Reads bytes of a mapped file by pread() and not through the mapping.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/mapping_registry.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// The file of a mapping, opened a second time. It is for readers that copy all of the file: pread() takes no
/// page faults and makes no page tables, whose removal costs 3 to 9 ms per GB when the mapping ends (Linux
/// 6.18, ext4 and tmpfs). The reader must not outlive the mapping. Any thread may read.
class mapping_reader {
 public:
  /// Opens the file of a mapping. Null if the path no longer leads to that file: read the mapping then.
  [[nodiscard]] static std::unique_ptr<mapping_reader> open(const listed_mapping& mapping);

  [[nodiscard]] bool covers(const char* at) const noexcept {
    return at >= mapping_.bytes.data && at < mapping_.bytes.end();
  }

  /// Copies `bytes` bytes from the address `from` of the mapping to `to`.
  /// @throws input_error when the file cannot be read or has become shorter (the mapping would raise SIGBUS)
  void read(const char* from, std::uint64_t bytes, char* to) const;

 private:
  mapping_reader(const listed_mapping& mapping, file_descriptor file)
    : mapping_(mapping), file_(std::move(file)) {}

  listed_mapping mapping_;
  file_descriptor file_;
};

}  // namespace duomap
