// Tests that matrices written as text or .npy are read back as the same numbers.
#include "numeric/common/write_table.hpp"

#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <limits>
#include <string>
#include <vector>

namespace duomap::test::numeric_common_write_table_test {

using test::numbers_of;

TEST_CASE("A written matrix has the shortest decimals of its type and a header where CSV has one") {
  const std::vector<float> numbers{0.1F, -2, 1e-45F, 16777216, 3.4028235e38F, 1.0F / 3};
  const matrix_view<float> values(numbers.data(), 2, 3);
  const test::temporary_folder folder;
  const std::string rows = "0.1,-2,1e-45\n16777216,3.4028235e+38,0.33333334\n";
  write_matrix(folder.path("plain.csv"), values);
  CHECK(test::content(folder.path("plain.csv")) == "c1,c2,c3\n" + rows);
  write_matrix(folder.path("named.csv"), values, {"x", "a,b", "z"});
  CHECK(test::content(folder.path("named.csv")) == "x,\"a,b\",z\n" + rows);
  write_matrix(folder.path("rows.tsv"), values, {"x", "y", "z"});
  CHECK(test::content(folder.path("rows.tsv")) == "0.1\t-2\t1e-45\n16777216\t3.4028235e+38\t0.33333334\n");
  for (const char* name : {"plain.csv", "named.csv", "rows.tsv", "rows.npy"}) {
    write_matrix(folder.path(name), values);
    CHECK(numbers_of(read_table<float>(folder.path(name))) == numbers);
  }
}

TEST_CASE("A matrix that cannot be written leaves nothing") {
  const std::vector<double> numbers{1, 2};
  const matrix_view<double> values(numbers.data(), 1, 2);
  const test::temporary_folder folder;
  CHECK_THROWS_AS(write_matrix(folder.path("no/such/folder.csv"), values), output_error);
  CHECK_THROWS_AS(write_matrix("", values), usage_error);
  CHECK_THROWS_AS(write_npy(folder.path("flat.npy"), values, true), std::logic_error);
  CHECK(test::names_in(folder.path()).empty());
}

}  // namespace duomap::test::numeric_common_write_table_test
