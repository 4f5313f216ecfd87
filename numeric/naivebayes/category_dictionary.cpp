// Adds categories to a list, and grows its hash table.
#include "numeric/naivebayes/category_dictionary.hpp"

#include "core/error.hpp"

#include <limits>

namespace duomap {
namespace {

constexpr category_dictionary::slot free_slot{0, 0, 0, 0, category_dictionary::none};

}  // namespace

category_list::category_list() : slots_(64, free_slot) {}

std::uint32_t category_list::add(std::uint32_t column, byte_view text) {
  if (const std::uint32_t known = view().find(column, text); known != category_dictionary::none) return known;
  expects(texts_.size() + text.size < std::numeric_limits<std::uint32_t>::max(),
          "the texts of all categories have less than 4 GiB");
  entries_.push_back({category_dictionary::hash_of(column, text), static_cast<std::uint32_t>(texts_.size()),
                      static_cast<std::uint32_t>(text.size), column, size()});
  texts_.append(text.text());
  if (2 * entries_.size() > slots_.size()) {
    slots_.assign(2 * slots_.size(), free_slot);
    for (const auto& entry : entries_) place(entry);
  } else {
    place(entries_.back());
  }
  return size() - 1;
}

category_dictionary category_list::view() const {
  return {{slots_.data(), slots_.size()}, {texts_.data(), texts_.size()}};
}

void category_list::place(const category_dictionary::slot& entry) {
  std::uint64_t i = entry.hash & (slots_.size() - 1);
  while (slots_[i].number != category_dictionary::none) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = entry;
}

}  // namespace duomap
