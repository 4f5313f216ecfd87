// Tests numeric/common: files of other projects are read with their known shapes.
#include "numeric/common/sparse_table.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

namespace duomap::test::numeric_common_real_data_test {

namespace {

std::uint64_t rows_of_class(const table_metadata& table, const std::string& name) {
  const auto place = std::find(table.classes.begin(), table.classes.end(), name);
  return static_cast<std::uint64_t>(std::count(table.label_of_row.begin(), table.label_of_row.end(),
                                               static_cast<std::uint32_t>(place - table.classes.begin())));
}

double sum_of(const labelled_table<float>& table) {
  const auto values = table.values.view().values();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The path of a file of data. Warns when the file is missing.
std::string data_or_warning(const std::string& name) {
  std::string path = test::real_data(name);
  if (path.empty()) WARN("no " << name << ": set DUOMAP_DATA to a folder that holds it");
  return path;
}

}  // namespace

TEST_CASE("Tab-separated skin samples have their known shape") {
  const std::string path = data_or_warning("numeric/Skin_NonSkin.txt.gz");
  if (path.empty()) return;
  const auto table = read_table<float>(path, {.label = "last"});
  CHECK(table.values.rows() == 245'057);
  CHECK(table.values.columns() == 3);
  CHECK(rows_of_class(table, "1") == 50'859);
  CHECK(rows_of_class(table, "2") == 194'198);
  CHECK(sum_of(table) == 93'305'434);
}

TEST_CASE("KDD Cup rows have three columns of symbols") {
  const std::string path = data_or_warning("numeric/kddcup.data_10_percent.gz");
  if (path.empty()) return;
  if (torture) return;  // takes too long: 75 MB in chunks of 16 bytes
  CHECK(test::problem_of([&] {
          return read_table<float>(path, {.label = "last"});
        }).find("line 1: column 2: 'tcp' is not a number") != std::string::npos);
  const auto table = read_table<float>(path, {.label = "last", .symbols = symbol_columns::encode});
  CHECK(table.values.rows() == 494'021);
  CHECK(table.values.columns() == 41);
  CHECK(table.classes.size() == 23);
  CHECK(rows_of_class(table, "normal.") == 97'278);
  REQUIRE(table.symbols.size() == 41);
  CHECK(table.symbols[1] == std::vector<std::string>{"icmp", "tcp", "udp"});
  CHECK(table.symbols[2].size() == 66);
  CHECK(table.symbols[3].size() == 11);
  CHECK(table.symbols[4].empty());
}

TEST_CASE("The cover type sample is the same as text with commas and as LIBSVM text") {
  const std::string commas = data_or_warning("numeric/covtype_20k.data.gz");
  const std::string libsvm = data_or_warning("svm/covtype_20k.libsvm.gz");
  if (commas.empty() || libsvm.empty()) return;
  const auto table = read_table<float>(commas, {.label = "last"});
  const auto same = read_table<float>(libsvm);
  CHECK(table.values.rows() == 20'000);
  CHECK(table.values.columns() == 54);
  CHECK(table.classes.size() == 7);
  REQUIRE(same.values.rows() == table.values.rows());
  REQUIRE(same.values.columns() == table.values.columns());
  CHECK(rows_of_class(same, "1") == 9'728);
  CHECK(rows_of_class(same, "2") == 10'272);
  const auto a = table.values.view().values();
  const auto b = same.values.view().values();
  CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TEST_CASE("LIBSVM's own data sets have their known shapes") {
  const std::string adult = data_or_warning("svm/a9a.gz");
  const std::string adult_test = data_or_warning("svm/a9a.t.gz");
  const std::string digits = data_or_warning("svm/usps.gz");
  if (adult.empty() || adult_test.empty() || digits.empty()) return;
  const auto train = read_sparse_table<float>(adult);
  CHECK(train.values.rows() == 32'561);
  CHECK(train.values.columns == 123);
  CHECK(std::count(train.labels.begin(), train.labels.end(), 1.0) == 7'841);
  CHECK(std::all_of(train.values.values.begin(), train.values.values.end(), [](float v) { return v == 1; }));
  // No row of the test set has the last feature.
  CHECK(read_table<float>(adult_test).values.columns() == 122);
  const auto test_set = read_table<float>(adult_test, {.features = 123, .at_most_features = true});
  CHECK(test_set.values.rows() == 16'281);
  CHECK(test_set.values.columns() == 123);
  CHECK(rows_of_class(test_set, "1") == 3'846);
  const auto usps = read_table<float>(digits);
  CHECK(usps.values.rows() == 7'291);
  CHECK(usps.values.columns() == 256);
  CHECK(usps.classes.front() == "1");
  CHECK(usps.classes.back() == "10");
}

TEST_CASE("MNIST has its known images and labels") {
  const std::string images = data_or_warning("images/t10k-images-idx3-ubyte.gz");
  const std::string labels = data_or_warning("images/t10k-labels-idx1-ubyte.gz");
  if (images.empty() || labels.empty()) return;
  const auto table = read_table<float>(images, {.labels_path = labels});
  CHECK(table.values.rows() == 10'000);
  CHECK(table.values.columns() == 784);
  CHECK(table.classes.size() == 10);
  CHECK(rows_of_class(table, "0") == 980);
  CHECK(rows_of_class(table, "1") == 1'135);
}

TEST_CASE("Adult's rows with missing values are refused or dropped") {
  const std::string path = data_or_warning("categorical/adult.data.gz");
  if (path.empty()) return;
  table_options options{.label = "last", .symbols = symbol_columns::encode};
  CHECK(test::problem_of([&] {
          return read_table<float>(path, options);
        }).find("line 15: column 14: the value is missing") != std::string::npos);
  options.rows = bad_rows::drop;
  const auto table = read_table<float>(path, options);
  CHECK(table.values.rows() == 30'162);
  CHECK(table.dropped.count == 2'399);
  CHECK(table.classes == std::vector<std::string>{"<=50K", ">50K"});
}

}  // namespace duomap::test::numeric_common_real_data_test
