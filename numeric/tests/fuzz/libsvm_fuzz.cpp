// Fuzzes LIBSVM text: any text is sparse rows in order, or an error. The first byte of the input is the
// options.
#include "core/error.hpp"
#include "numeric/common/libsvm_text.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  if (size < 1) return 0;
  const test::exact_copy copy(data + 1, size - 1);
  table_options options;
  if ((data[0] & 1) != 0) options.rows = bad_rows::drop;
  options.allow_non_finite = (data[0] & 2) != 0;
  options.features = data[0] >> 4;
  options.at_most_features = (data[0] & 4) != 0;
  sequential one;
  sparse_table<double> table;
  try {
    table = parse_libsvm<double>(copy.view(), "the text", options, one);
  } catch (const error&) {
    return 0;
  }
  const sparse_matrix<double>& rows = table.values;
  test::require(rows.rows() == table.labels.size() && rows.rows() > 0, "each row has a label");
  test::require(rows.row_start.back() == rows.values.size() && rows.values.size() == rows.column_of.size(),
                "each value has a row and a column");
  for (std::uint64_t row = 0; row < rows.rows(); ++row) {
    test::require(std::isfinite(table.labels[row]), "labels are finite");
    std::uint64_t next = 0;
    for (const std::uint32_t column : rows.columns_of_row(row)) {
      test::require(column >= next && column < rows.columns, "columns ascend and are below their number");
      next = std::uint64_t{column} + 1;
    }
  }
  return 0;
}
