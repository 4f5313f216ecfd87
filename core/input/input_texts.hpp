// Gives the texts at places of an input, after the run.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/text_place.hpp"

#include <string>
#include <vector>

namespace duomap {

class place_texts;

/// Sorts places in the order of the input, and removes duplicates.
[[nodiscard]] std::vector<text_place> each_place_once(std::vector<text_place> places);

/// The texts at some places of an input. The input must outlive this object.
class input_texts {
 public:
  /// Texts in memory and in mapped files are not copied. Texts of other sources, such as compressed files,
  /// are copied: each such source is read again, up to the last place.
  /// @throws usage_error when a source can be read only once, and when there is no such source; input_error
  /// when it can no longer be read, was changed since it was opened, or ends before a place
  input_texts(const input& from, std::vector<text_place> places);
  /// The texts that stored partials have with them; `from` must outlive this object.
  /// @throws usage_error when one of the places has no text
  input_texts(const place_texts& from, std::vector<text_place> places);

  /// The text at one of the places that the constructor got.
  [[nodiscard]] byte_view operator[](const text_place& place) const;

 private:
  std::vector<text_place> places_;  // in the order of the input, each once
  std::vector<std::string> copies_;
  std::vector<byte_view> texts_;  // texts_[i] is the text at places_[i]
};

}  // namespace duomap
