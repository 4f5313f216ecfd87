// The data of an iterative job. They are one source, whose units are all in memory for every step.
#pragma once

#include "core/input/input.hpp"

#include <cstdint>

namespace duomap {

/// Refers to the only source of an input. If that source is a stream, owns a copy of its bytes.
class resident_input {
 public:
  /// `from` must outlive this object.
  /// @throws usage_error when there are several sources; input_error, also when `binary` records were opened
  /// as text; out_of_memory
  explicit resident_input(const input& from, bool binary = false);

  /// An input whose sources are addressable. It has one source or none.
  [[nodiscard]] const input& get() const noexcept { return owned_.size() > 0 ? owned_ : from_; }

  /// The number of bytes, or of indices.
  [[nodiscard]] std::uint64_t units() const { return get().size() > 0 ? get()[0].units() : 0; }

 private:
  const input& from_;
  input owned_;
};

}  // namespace duomap
