// Completes the names of columns that a program gave.
#include "apps/cli/row_headings.hpp"

#include "core/error.hpp"

namespace duomap::apps {

std::vector<std::string> row_headings(std::vector<std::string> given, std::size_t key_cells,
                                      std::size_t value_cells) {
  const std::size_t cells = key_cells + value_cells;
  if (given.size() > cells)
    throw usage_error("the program names " + std::to_string(given.size()) + " columns and its rows have " +
                      std::to_string(cells));
  const auto add = [&](const char* name, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (given.size() == first + i)
        given.push_back(count > 1 ? name + ("_" + std::to_string(i + 1)) : std::string(name));
    }
  };
  add("key", 0, key_cells);
  add("value", key_cells, value_cells);
  return given;
}

}  // namespace duomap::apps
