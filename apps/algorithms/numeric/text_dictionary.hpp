// Texts numbered in the order in which they first appear, and how the numbers of many parts become those of
// the sorted whole.
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

/// Used by one thread at a time.
class text_dictionary {
 public:
  /// The number of a text, a new one if it is new.
  [[nodiscard]] std::uint32_t number_of(byte_view text) {
    // Labels come in runs, and often there are two of them.
    if (!texts_.empty() && text.text() == *texts_[last_]) return last_;
    return last_ = find_or_add(text);
  }

  /// The texts by their numbers.
  [[nodiscard]] const std::vector<const std::string*>& texts() const noexcept { return texts_; }

 private:
  std::uint32_t find_or_add(byte_view text);

  std::unordered_map<std::string, std::uint32_t, keyed_hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;  // keys of numbers_, which stay where they are
  std::uint32_t last_ = 0;
};

/// The texts of all parts, each once: ascending by number if all are numbers, else in byte order.
[[nodiscard]] std::vector<std::string> merged_texts(const std::vector<const text_dictionary*>& parts);

/// Which index of a list each of its texts has; the list must outlive it.
using text_indices = std::unordered_map<std::string_view, std::uint32_t, keyed_hash>;
[[nodiscard]] text_indices indices_of(const std::vector<std::string>& texts);

/// For each number of `part` the index of its text in a list that has them all.
[[nodiscard]] std::vector<std::uint32_t> indices_in(const text_indices& list, const text_dictionary& part);

/// Sorts as merged_texts() does.
void sort_texts(std::vector<std::string>& texts);

}  // namespace duomap
