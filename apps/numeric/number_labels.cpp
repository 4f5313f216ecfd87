#include "apps/numeric/number_labels.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace duomap {

void label_by_numbers(table_facts& table, std::span<const double> numbers) {
  // There are few classes as a rule: those seen so far are kept in order.
  std::vector<double> classes;
  for (const double number : numbers) {
    const auto place = std::lower_bound(classes.begin(), classes.end(), number);
    if (place == classes.end() || *place != number) classes.insert(place, number);
  }
  table.label_of_row.clear();
  table.label_of_row.reserve(numbers.size());
  for (const double number : numbers) {
    const auto place = std::lower_bound(classes.begin(), classes.end(), number);
    table.label_of_row.push_back(static_cast<std::uint32_t>(place - classes.begin()));
  }
  table.classes.clear();
  for (const double number : classes) {
    std::array<char, 32> text;
    // Adding 0 makes 0 of -0, which is the same class.
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number + 0.0).ptr;
    table.classes.emplace_back(text.data(), end);
  }
}

}  // namespace duomap
