// Keeps texts with their places, so that nobody needs the input to print a stored partial.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/text_place.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace duomap {

/// The texts at the places in a partial's keys or values. A merge prints them, and opens no input file.
class place_texts {
 public:
  struct in_order {
    [[nodiscard]] bool operator()(const text_place& a, const text_place& b) const {
      return stands_before(a, b);
    }
  };

  place_texts() = default;
  /// Copies the texts at `places` from an input.
  /// @throws usage_error and input_error as input_texts does
  place_texts(const input& from, const std::vector<text_place>& places);

  [[nodiscard]] bool empty() const noexcept { return texts_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  /// The text at a place; null if this object does not have it.
  [[nodiscard]] const std::string* find(const text_place& place) const;

  /// Adds a text. Returns false if the place already has another text.
  [[nodiscard]] bool add(const text_place& place, byte_view text);
  /// Adds the texts of another partial. `whose` names that partial in messages.
  /// @throws input_error when a place already has another text, because the file was changed between two maps
  void add(place_texts more, const std::string& whose);
  /// Keeps only the texts at these places.
  void keep(const std::vector<text_place>& places);

 private:
  std::map<text_place, std::string, in_order> texts_;
};

}  // namespace duomap
