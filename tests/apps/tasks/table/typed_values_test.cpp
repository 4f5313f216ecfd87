// Tests that values behind keys come back, and that equal values have equal bits.
#include "apps/tasks/table/typed_values.hpp"

#include "tests/catch.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_typed_values_test {
namespace {

using namespace duomap::apps;

const std::vector<std::string> groups = {"", "a", std::string("\0\1", 2), std::string(300, '\xff')};

std::vector<std::int64_t> bits_of(const column_view& column, const value_form& form, std::uint64_t rows) {
  number_block block;
  read_values(column, form, 0, rows, block);
  for (std::uint64_t i = 0; i < rows; ++i) REQUIRE(block.status[i] == number_status::number);
  return {block.bits, block.bits + rows};
}

}  // namespace

TEST_CASE("numbers behind keys come back") {
  std::string made;
  for (const std::string& group : groups) {
    for (const std::int64_t bits :
         {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
      add_number(byte_view(group), true, bits, made);
      const value_row row = typed_value_row(byte_view(made), 7, {});
      CHECK(row.group().text() == group);
      CHECK(row.number == bits);
      CHECK(row.rows == 7);
    }
    add_number(byte_view(group), false, 5, made);
    const std::string null = made;
    CHECK(typed_value_row(byte_view(null), 7, {}).rows == 0);
    CHECK(typed_value_row(byte_view(null), 7, {}).group().text() == group);
    add_number(byte_view(group), false, 6, made);
    CHECK(made == null);
  }
}

TEST_CASE("texts behind keys come back") {
  std::string made;
  for (const std::string& group : groups) {
    for (const std::string& text : groups) {
      const byte_view value(text);
      add_text(byte_view(group), &value, made);
      const value_row row = typed_value_row(byte_view(made), 3, {.text = true});
      CHECK(row.group().text() == group);
      CHECK(row.text().text() == text);
      CHECK(row.rows == 3);
    }
    add_text(byte_view(group), nullptr, made);
    CHECK(typed_value_row(byte_view(made), 3, {.text = true}).rows == 0);
    CHECK(typed_value_row(byte_view(made), 3, {.text = true}).group().text() == group);
  }
}

TEST_CASE("equal values have equal bits, and others their order") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> doubles = {-infinity, -1, -0.0, 0.0, 1e-300, infinity, nan, -nan};
  column_view view{.kind = column_kind::float64, .values = reinterpret_cast<const char*>(doubles.data())};
  const auto real = bits_of(view, {.type = {.real = true}}, doubles.size());
  CHECK(real[2] == real[3]);
  CHECK(real[6] == real[7]);
  for (const std::size_t i : {1u, 2u, 4u, 5u, 6u}) CHECK(real[i - 1] < real[i]);

  const std::vector<std::uint64_t> large = {0, 1, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  view = {.kind = column_kind::uint64, .values = reinterpret_cast<const char*>(large.data())};
  const auto turned = bits_of(view, {.is_unsigned = true}, large.size());
  for (std::size_t i = 0; i < large.size(); ++i) {
    CHECK(static_cast<std::uint64_t>(with_first_bit_turned(turned[i])) == large[i]);
    if (i > 0) CHECK(turned[i - 1] < turned[i]);
  }

  const char bits = 0b0110;
  view = {.kind = column_kind::boolean, .values = &bits};
  CHECK(bits_of(view, {}, 4) == std::vector<std::int64_t>{0, 1, 1, 0});
}

}  // namespace duomap::test::apps_tasks_table_typed_values_test
