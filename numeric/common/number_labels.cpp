// Sorts the different numbers among labels, and turns labels into indices.
#include "numeric/common/number_labels.hpp"

#include "core/text/keyed_hash.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace duomap {

void label_by_numbers(table_metadata& table, std::span<const double> numbers) {
  std::unordered_map<double, std::uint32_t, keyed_hash> number_of;
  std::vector<double> classes;
  table.label_of_row.clear();
  table.label_of_row.reserve(numbers.size());
  for (const double number : numbers) {
    // Adding 0 turns -0 into +0, because both are one class.
    const auto [known, is_new] = number_of.emplace(number + 0.0, static_cast<std::uint32_t>(classes.size()));
    if (is_new) classes.push_back(known->first);
    table.label_of_row.push_back(known->second);
  }
  std::sort(classes.begin(), classes.end());
  std::vector<std::uint32_t> place_of(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i)
    place_of[number_of.at(classes[i])] = static_cast<std::uint32_t>(i);
  for (std::uint32_t& label : table.label_of_row) label = place_of[label];
  table.classes.clear();
  for (const double number : classes) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    table.classes.emplace_back(text.data(), end);
  }
}

}  // namespace duomap
