// Numbers texts in the order of their first appearance, and maps the numbers of many parts to indices of a
// sorted list.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/text/keyed_hash.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap {

/// Numbers the texts of one part. Only one thread may use it at a time.
class text_dictionary {
 public:
  /// Returns the number of a text, and gives a new text the next number.
  [[nodiscard]] std::uint32_t number_of(byte_view text) {
    // The last text is compared first, because equal labels often follow each other.
    if (!texts_.empty() && text.text() == *texts_[last_]) return last_;
    return last_ = find_or_add(text);
  }

  /// The texts in the order of their numbers.
  [[nodiscard]] const std::vector<const std::string*>& texts() const noexcept { return texts_; }

 private:
  std::uint32_t find_or_add(byte_view text);

  std::unordered_map<std::string, std::uint32_t, keyed_hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;  // point to keys of numbers_, which stay in place
  std::uint32_t last_ = 0;
};

/// The different texts of all parts: ascending by number if all are numbers, else in byte order.
[[nodiscard]] std::vector<std::string> merged_texts(const std::vector<const text_dictionary*>& parts);

/// Maps each text of a list to its index; the list must outlive the map.
using text_indices = std::unordered_map<std::string_view, std::uint32_t, keyed_hash>;
[[nodiscard]] text_indices indices_of(const std::vector<std::string>& texts);

/// For each number of `part`, the index of its text in `list`. The list has all texts of the part.
[[nodiscard]] std::vector<std::uint32_t> indices_in(const text_indices& list, const text_dictionary& part);

/// Sorts in the order of merged_texts().
void sort_texts(std::vector<std::string>& texts);

}  // namespace duomap
