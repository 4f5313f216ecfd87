// Fuzzes delimited text: any text is a table or an error, and dropping bad rows gives the table of the other
// rows. The first two bytes of the input are the delimiter and the options.
#include "core/error.hpp"
#include "numeric/common/delimited_table.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace {

std::optional<duomap::labelled_table<float>> read(duomap::byte_view text,
                                                  const duomap::table_options& options) {
  duomap::sequential one;
  try {
    return duomap::read_delimited<float>(text, "the text", options, one);
  } catch (const duomap::error&) {
    return std::nullopt;
  }
}

bool same(duomap::matrix_view<float> a, duomap::matrix_view<float> b) {
  return a.rows == b.rows && a.columns == b.columns &&
         (a.values().empty() || std::memcmp(a.data, b.data, a.values().size_bytes()) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  if (size < 2) return 0;
  const test::exact_copy copy(data + 2, size - 2);
  table_options options;
  constexpr char delimiters[] = {',', '\t', ' ', ';'};
  if (data[0] % 5 < 4) options.delimiter = delimiters[data[0] % 5];
  if ((data[1] & 1) != 0) options.header = (data[1] & 2) != 0;
  if ((data[1] & 4) != 0) options.label = "last";
  if ((data[1] & 8) != 0) options.symbols = symbol_columns::encode;
  options.allow_non_finite = (data[1] & 16) != 0;

  const auto strict = read(copy.view(), options);
  options.rows = bad_rows::drop;
  const auto lenient = read(copy.view(), options);
  if (!lenient) {
    test::require(!strict, "without its bad rows a table has no more errors than with them");
    return 0;
  }
  const matrix_view<float> values = lenient->values.view();
  for (const float value : values.values()) {
    test::require(options.allow_non_finite || std::isfinite(value),
                  "values are finite unless others are allowed");
  }
  test::require(lenient->label_of_row.size() == (options.label.empty() ? 0 : values.rows),
                "each row has a label");
  for (const std::uint32_t label : lenient->label_of_row) {
    test::require(label < lenient->classes.size(), "each label is a class");
  }
  if (strict) {
    test::require(lenient->dropped.count == 0, "a table without bad rows loses none");
    test::require(same(strict->values.view(), values),
                  "a table without bad rows is the same when they are dropped");
  }
  return 0;
}
