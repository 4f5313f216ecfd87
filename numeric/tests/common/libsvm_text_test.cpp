// Tests LIBSVM text: sparse and dense rows, and errors that name the line.
#include "numeric/common/sparse_parts.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_common_libsvm_text_test {

using test::numbers_of;

namespace {

using floats = sparse_matrix<float>::untouched<float>;
using columns_list = sparse_matrix<float>::untouched<std::uint32_t>;
using texts = std::vector<std::string>;

template <class T = float>
sparse_table<T> sparse(const std::string& text, const table_options& options = {}) {
  const test::temporary_folder folder;
  return read_sparse_table<T>(folder.write("rows.libsvm", text), options);
}

std::string problem(const std::string& text, const table_options& options = {}) {
  return test::problem_of([&] { return sparse(text, options); });
}

}  // namespace

TEST_CASE("LIBSVM rows are sparse and those without features count") {
  const auto table = sparse("+1 1:0.5 3:-2\n-1\n\n2.5\t2:1e3 # a comment 9:9\r\n-1 4:0");
  CHECK(table.labels == std::vector<double>{1, -1, 2.5, -1});
  CHECK(table.values.rows() == 4);
  CHECK(table.values.columns == 4);
  CHECK(table.values.row_start == std::vector<std::uint64_t>{0, 2, 2, 3, 4});
  CHECK(table.values.column_of == columns_list{0, 2, 1, 3});
  CHECK(table.values.values == floats{0.5F, -2, 1000, 0});
  CHECK(table.values.columns_of_row(0).size() == 2);
  CHECK(table.values.values_of_row(2)[0] == 1000);
  CHECK(sparse("1 2:1\n", {.features = 10}).values.columns == 10);
  CHECK(sparse("1 12:1\n", {.features = 10}).values.columns == 12);
}

TEST_CASE("LIBSVM indices count from 0 where a row has the index 0") {
  const auto table = sparse("1 0:5 2:1\n-1 1:2\n");
  CHECK(table.first_index == 0);
  CHECK(table.values.columns == 3);
  CHECK(table.values.column_of == columns_list{0, 2, 1});
  CHECK(sparse("1 1:5\n").first_index == 1);
  const auto same_columns = sparse("1 1:5\n", {.first_index = 0});
  CHECK(same_columns.values.columns == 2);
  CHECK(same_columns.values.column_of == columns_list{1});
  CHECK(sparse("1 0:5 9:1\n", {.first_index = 0, .features = 10, .at_most_features = true}).values.columns ==
        10);
  CHECK_THROWS_WITH(sparse("1 0:5 10:1\n", {.first_index = 0, .features = 10, .at_most_features = true}),
                    contains("index 10 is above 9, the last of 10 features"));
  CHECK_THROWS_WITH(sparse("1 0:5\n", {.first_index = 1}), contains("index 0, where indices count from 1"));
  CHECK(numbers_of(test::table_of("1 0:5 2:1\n-1 1:2\n")) == std::vector<float>{5, 0, 1, 0, 2, 0});
}

TEST_CASE("LIBSVM rows are tables with zeros where nothing stands") {
  const std::string text = "+1 1:0.5 3:-2\n-1\n1 2:4\n";
  for (const char* name : {"rows.libsvm", "rows.svm", "rows.txt", "rows"}) {
    const auto table = test::table_of(text, {}, name);
    CHECK(numbers_of(table) == std::vector<float>{0.5F, 0, -2, 0, 0, 0, 0, 4, 0});
    CHECK(test::labels_of(table) == texts{"1", "-1", "1"});
    CHECK(table.classes == texts{"-1", "1"});
  }
  CHECK(label_numbers(test::table_of(text), "t") == std::vector<double>{1, -1, 1});
  CHECK(test::table_of("1\n-1\n", {.format = data_format::libsvm, .features = 2}).values.columns() == 2);
}

TEST_CASE("What is wrong with a LIBSVM line is said with its number") {
  const std::pair<const char*, const char*> cases[] = {
      {"1 1:5 0:1", "index 0 stands behind index 1; indices must ascend"},
      {"1 0:5 0:1", "index 0 stands behind index 0; indices must ascend"},
      {"1 2:1 1:1", "index 1 stands behind index 2; indices must ascend"},
      {"1 2:1 2:1", "index 2 stands behind index 2"},
      {"1 2147483648:1", "index 2147483648 is above 2147483647"},
      {"1 99999999999999999999999:1", "index 99999999999999999999999 is above 2147483647"},
      {"1 2", "'2' is not INDEX:VALUE"},
      {"1 2:", "index 2: '' is not a number"},
      {"1 :3", "':3' is not INDEX:VALUE"},
      {"1 a:3", "'a:3' is not INDEX:VALUE"},
      {"1 -1:3", "'-1:3' is not INDEX:VALUE"},
      {"1 qid:3 1:2", "'qid:3' is a group of rows for ranking, which is not done here"},
      {"1 2:x", "index 2: 'x' is not a number"},
      {"1 2:3:4", "index 2: '3:4' is not a number"},
      {"1 2:nan", "index 2: 'nan' is no number"},
      {"1 2:inf", "index 2: 'inf' is infinite"},
      {"1 2:1e40", "index 2: '1e40' is too large for float32"},
      {"one 2:1", "the label 'one' is not a number"},
      {"1,2 2:1", "the label '1,2' is not a number"},
      {"nan 2:1", "the label 'nan' is no number"},
  };
  for (const auto& [line, reason] : cases) {
    const std::string found = problem("1 1:1\n\n" + std::string(line) + "\n1 1:1\n");
    CAPTURE(line, found);
    CHECK(found.starts_with("5: "));
    CHECK(found.find(std::string("line 3: ") + reason) != std::string::npos);
    const auto dropped = sparse("1 1:1\n\n" + std::string(line) + "\n1 1:1\n", {.rows = bad_rows::drop});
    CHECK(dropped.labels.size() == 2);
    CHECK(dropped.values.values == floats{1, 1});
    CHECK(dropped.dropped.count == 1);
  }
  CHECK(
      problem("1 3:1\n", {.features = 2, .at_most_features = true}).find("above 2, the last of 2 features") !=
      std::string::npos);
  CHECK(problem("").find("has no row") != std::string::npos);
  CHECK(problem("# nothing\n\n").find("has no row") != std::string::npos);
  CHECK(problem("x\n", {.rows = bad_rows::drop}).find("no row of") != std::string::npos);
  CHECK(sparse("1 1:inf\n", {.allow_non_finite = true}).values.values[0] > 1e38F);
  CHECK(test::problem_with("1 1:1\n", {.label = "1"}, "rows.libsvm").find("no meaning for") !=
        std::string::npos);
}

TEST_CASE("Synthetic LIBSVM text of many chunks is what it was made of") {
  const auto seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  std::string text;
  std::vector<double> labels;
  std::vector<std::uint64_t> starts{0};
  columns_list columns;
  sparse_matrix<double>::untouched<double> values;
  for (int row = 0; row < (torture ? 300 : 20'000); ++row) {
    labels.push_back(static_cast<double>(below(5)) - 2);
    text += std::to_string(static_cast<int>(labels.back()));
    for (std::uint32_t column = 0; column < 200; column += 1 + below(60)) {
      columns.push_back(column);
      values.push_back(static_cast<double>(below(1000)) / 8);
      text += (below(8) == 0 ? "\t" : " ") + std::to_string(column + 1) + ":" + std::to_string(values.back());
    }
    text += below(10) == 0 ? "\r\n\n" : "\n";
    starts.push_back(values.size());
  }
  for (const unsigned threads : {1U, 0U}) {
    const auto table = sparse<double>(text, {.threads = threads});
    CHECK(table.labels == labels);
    CHECK(table.values.row_start == starts);
    CHECK(table.values.column_of == columns);
    CHECK(table.values.values == values);
  }
}

TEST_CASE("LIBSVM text read in parts is the same rows in order") {
  // The first file is small and is streamed. The second is large enough to be mapped.
  for (const int count : {200, 80000}) {
    std::string text = "# no row\n\n";
    for (int row = 0; row < count; ++row) {
      text += std::to_string(row) + " " + std::to_string(1 + row % 7) + ":" + std::to_string(row) + ".5";
      text += row % 10 == 0 ? " 900:1\n\n" : "\n";
    }
    const test::temporary_folder folder;
    const std::string path = folder.write("rows", text);
    const sparse_table<float> whole = read_sparse_table<float>(path);
    for (const std::uint64_t bytes : {std::uint64_t{1}, text.size() / 20, text.size()}) {
      if (bytes == 1 && count > 200) continue;
      CAPTURE(count, bytes);
      sparse_parts<float> parts(path, {}, bytes);
      sparse_table<float> part;
      sparse_table<float> all;
      std::size_t number = 0;
      for (; parts.next(part); ++number) {
        all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
        all.values.values.insert(all.values.values.end(), part.values.values.begin(),
                                 part.values.values.end());
        all.values.column_of.insert(all.values.column_of.end(), part.values.column_of.begin(),
                                    part.values.column_of.end());
      }
      CHECK(all.labels == whole.labels);
      CHECK(all.values.values == whole.values.values);
      CHECK(all.values.column_of == whole.values.column_of);
      CHECK((bytes == text.size() ? number == 1 : number >= 19));
      CHECK_FALSE(parts.next(part));
    }
  }
}

TEST_CASE("What is wrong with a part of LIBSVM text is said with its line of the whole") {
  const test::temporary_folder folder;
  const auto problem_in_parts = [&](const std::string& text) {
    return test::problem_of([&] {
      sparse_parts<float> parts(folder.write("rows", text), {}, 10);
      sparse_table<float> part;
      while (parts.next(part)) {
      }
    });
  };
  const std::string name = "5: '" + folder.write("rows", "") + "'";
  CHECK(problem_in_parts("1 1:1\n1 1:2\n\n1 1:3\n1 x\n1 1:4\n") ==
        name + ", line 5: 'x' is not INDEX:VALUE; correct it");
  for (const char* text : {"", "\n# none\n\n\n"})
    CHECK(problem_in_parts(text) == name + " has no row: it is empty; give a file with numbers");
}

}  // namespace duomap::test::numeric_common_libsvm_text_test
