// The data of an iterative job: one source whose units can all be addressed, again and again.
#pragma once

#include "core/input/input.hpp"

#include <cstdint>

namespace duomap {

/// Refers to the only source of an input, or owns what it has read from it where that is a stream.
class resident_input {
 public:
  /// `from` must outlive this.
  /// @throws usage_error when there are several sources; input_error, also when records that are `binary`
  /// cannot be what it was opened as; out_of_memory
  explicit resident_input(const input& from, bool binary = false);

  /// An input whose sources (one, or none) are addressable.
  [[nodiscard]] const input& get() const noexcept { return owned_.size() > 0 ? owned_ : from_; }

  /// Bytes, or indices.
  [[nodiscard]] std::uint64_t units() const { return get().size() > 0 ? get()[0].units() : 0; }

 private:
  const input& from_;
  input owned_;
};

}  // namespace duomap
