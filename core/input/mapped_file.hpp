// A source whose bytes are a memory-mapped file.
// host only
#pragma once

#include "core/config.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/input/opening_stamp.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// Smallest file worth mapping. All workers share a mapped file; a streamed file is read by one of them at a
/// time.
inline constexpr std::uint64_t map_threshold = torture ? 16 : std::uint64_t{256} << 10;

/// A regular file, mapped read-only and shared with the page cache (no copy, nothing to write back). Listed
/// in the mapping registry: when the file is cut short while it is read, reading raises SIGBUS.
class mapped_file final : public source {
 public:
  /// Maps an open file, whose first `skipped` bytes (not all of them) are no content, and takes its stamp;
  /// the descriptor may be closed afterwards. nullptr, and `stamp` stays, when the system does not map the
  /// file (too many mappings, a file system without them): stream it then.
  [[nodiscard]] static std::unique_ptr<mapped_file> map(int descriptor, std::string name,
                                                        opening_stamp& stamp, std::uint64_t skipped = 0);

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
              opening_stamp stamp);

  mapping pages_;
  opening_stamp stamp_;
  std::uint64_t size_;
  std::uint64_t skipped_;
  mapping_registration registration_;  // ends before the mapping does
};

}  // namespace duomap
