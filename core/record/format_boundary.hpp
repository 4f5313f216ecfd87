// Makes a record format's cutting rule available to layers that do not know the format.
// host only
#pragma once

#include "core/boundary.hpp"

#include <cstdint>

namespace duomap {

/// The boundary of a record format.
template <class Format>
class format_boundary final : public boundary {
 public:
  explicit format_boundary(const Format& format) : format_(format) {}

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const override {
    return format_.first_start(source, from, limit);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override { return format_.last_start(block); }
  [[nodiscard]] std::uint64_t grain() const override { return format_.grain(); }

 private:
  Format format_;
};

}  // namespace duomap
