// A source whose bytes are a memory-mapped file.
// host only
#pragma once

#include "core/config.hpp"
#include "core/input/file_state.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// The size in bytes from which files are mapped. All workers read a mapped file at once; only one worker at
/// a time reads a stream.
inline constexpr std::uint64_t map_threshold = torture ? 16 : std::uint64_t{256} << 10;

/// A regular file, mapped read-only. The mapping shares the pages of the page cache, so nothing is copied.
/// The mapping registry lists it: if another program shortens the file, reading raises SIGBUS.
class mapped_file final : public source {
 public:
  /// Maps an open file and moves `stamp` into the source. The first `skipped` bytes of the file (fewer than
  /// all) are no content. The descriptor may be closed afterwards. Returns nullptr, and leaves `stamp` alone,
  /// if the system cannot map the file (too many mappings, its file system): read it as a stream then.
  [[nodiscard]] static std::unique_ptr<mapped_file> map(int descriptor, std::string name, file_state& stamp,
                                                        std::uint64_t skipped = 0);

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return size_; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return size_ - skipped_; }
  [[nodiscard]] byte_view bytes() const override { return {pages_.begin + skipped_, units()}; }
  [[nodiscard]] bool marked() const noexcept override { return skipped_ > 0; }
  [[nodiscard]] std::string change() const override { return stamp_.change(); }

 private:
  /// Whole pages of address space.
  struct mapping {
    mapping(const char* first, std::uint64_t bytes) : begin(first), length(bytes) {}
    mapping(const mapping&) = delete;
    mapping& operator=(const mapping&) = delete;
    ~mapping();

    const char* begin;
    std::uint64_t length;
  };

  mapped_file(const char* begin, std::uint64_t length, std::uint64_t skipped, std::string name,
              file_state stamp);

  mapping pages_;
  file_state stamp_;
  std::uint64_t size_;
  std::uint64_t skipped_;
  mapping_registration registration_;  // is destroyed before the mapping
};

}  // namespace duomap
