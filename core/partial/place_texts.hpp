// Keeps texts by their places, so that a stored partial is complete without its input.
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

/// The bytes of texts whose places are values or keys of a partial. A merge prints these bytes, and opens no
/// file.
class place_texts {
 public:
  struct in_order {
    [[nodiscard]] bool operator()(const text_place& a, const text_place& b) const {
      return stands_before(a, b);
    }
  };

  place_texts() = default;
  /// Copies texts of an input.
  /// @throws usage_error and input_error as input_texts does
  place_texts(const input& from, const std::vector<text_place>& places);

  [[nodiscard]] bool empty() const noexcept { return texts_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  /// The text of a place; null when the place is unknown.
  [[nodiscard]] const std::string* find(const text_place& place) const;

  /// Adds a text; false when the place has another text already.
  [[nodiscard]] bool add(const text_place& place, byte_view text);
  /// Adds the texts of another partial; `whose` names that partial in messages.
  /// @throws input_error when a place has another text already, because the file was changed between two maps
  void add(place_texts more, const std::string& whose);
  /// Keeps the texts at these places only.
  void keep(const std::vector<text_place>& places);

 private:
  std::map<text_place, std::string, in_order> texts_;
};

}  // namespace duomap
