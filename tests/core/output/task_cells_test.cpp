// Tests how the keys and values of any task become cells of a table.
#include "core/output/task_cells.hpp"

#include "core/reduce.hpp"
#include "tests/catch.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

namespace duomap::core_output_task_cells_test {
namespace {

struct pair_of {
  std::uint32_t count;
  double sum;
};

struct nested {
  std::int8_t small;
  pair_of inner;
  std::array<char, 3> text;
};

enum class colour : std::int8_t { none = -1, red };

std::string cells_text(const auto& content) {
  std::string text;
  for_each_cell(content, [&](const cell& each) {
    text += std::visit(
        [](const auto& one) {
          if constexpr (std::same_as<std::decay_t<decltype(one)>, byte_view>) {
            return "'" + std::string(one.text()) + "' ";
          } else if constexpr (std::same_as<std::decay_t<decltype(one)>, missing_cell>) {
            return std::string("missing ");
          } else {
            return std::to_string(one) + " ";
          }
        },
        each);
  });
  return text;
}

TEST_CASE("the cells of keys and values", "[core][output]") {
  CHECK(cells_text(std::uint8_t{7}) == "7 ");
  CHECK(cells_text(std::int16_t{-7}) == "-7 ");
  CHECK(cells_text(colour::none) == "-1 ");
  CHECK(cells_text(0.5F) == "0.500000 ");
  CHECK(cells_text(byte_view("ab", 2)) == "'ab' ");
  CHECK(cells_text(pair_of{3, -1}) == "3 -1.000000 ");
  CHECK(cells_text(nested{-1, {3, 2}, {'a', 'b', 'c'}}) == "-1 3 2.000000 'abc' ");
  CHECK(cells_text(std::array<char, 5>{'a', '\0', 'b'}) == "'" + std::string("a\0b", 3) + "' ");
  CHECK(cells_text(std::array<char, 2>{}) == "'' ");
  CHECK(cells_text(scored<float>{2, 9}) == "2.000000 9 ");
}

}  // namespace
}  // namespace duomap::core_output_task_cells_test
