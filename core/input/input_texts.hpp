// Texts of an input by their places, read when the run is over.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/text_place.hpp"

#include <string>
#include <vector>

namespace duomap {

/// The texts at some places of an input, which it must not outlive.
class input_texts {
 public:
  /// Texts of memory and mapped files stay where they are. Those of other sources, as of compressed files,
  /// are copied: each such source is read again, as far as the last place.
  /// @throws usage_error when a source can be read only once; input_error when it cannot be read any more or
  /// ends before a place
  input_texts(const input& from, std::vector<text_place> places);

  /// That of one of the places that the constructor got.
  [[nodiscard]] byte_view operator[](const text_place& place) const;

 private:
  std::vector<text_place> places_;  // in the order of the input, each once
  std::vector<std::string> copies_;
  std::vector<byte_view> texts_;  // of the places
};

}  // namespace duomap
