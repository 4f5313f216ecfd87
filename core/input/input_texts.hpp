// Texts of an input by their places, read when the run is over.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/text_place.hpp"

#include <string>
#include <vector>

namespace duomap {

class place_texts;

/// The places in the order of the input, each once.
[[nodiscard]] std::vector<text_place> each_place_once(std::vector<text_place> places);

/// The texts at some places of an input, which it must not outlive.
class input_texts {
 public:
  /// Texts of memory and mapped files stay where they are. Texts of other sources, such as compressed files,
  /// are copied: each such source is read again, as far as the last place.
  /// @throws usage_error when a source can be read only once, and when there is no such source; input_error
  /// when it cannot be read any more, was changed since it was opened, or ends before a place
  input_texts(const input& from, std::vector<text_place> places);
  /// The texts that stored partials brought; `from` must outlive them.
  /// @throws usage_error when one of the places has no text
  input_texts(const place_texts& from, std::vector<text_place> places);

  /// The text at one of the places that the constructor got.
  [[nodiscard]] byte_view operator[](const text_place& place) const;

 private:
  std::vector<text_place> places_;  // in the order of the input, each once
  std::vector<std::string> copies_;
  std::vector<byte_view> texts_;  // of the places
};

}  // namespace duomap
