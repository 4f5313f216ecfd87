// Tests .npy files: every header and type that NumPy writes, errors, and arrays that are not copied.
#include "numeric/common/npy_header.hpp"

#include "numeric/common/write_table.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace duomap::test::numeric_common_npy_header_test {

using test::numbers_of;

namespace {

using floats = std::vector<float>;

/// A .npy file with this header and these elements; `version`: 1, 2 or 3.
std::string npy(const std::string& dictionary, const std::string& elements, int version = 1) {
  std::string file(npy_magic);
  file += {static_cast<char>(version), 0};
  const std::size_t size = dictionary.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(size >> 8 * i & 0xFF);
  return file + dictionary + elements;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }   \n";
}

/// The bytes of numbers as T, in the other byte order on request.
template <class T>
std::string bytes_of(const std::vector<int>& numbers, bool swap = false) {
  std::string bytes;
  for (const int number : numbers) {
    const T value = static_cast<T>(number);
    std::string one(sizeof value, '\0');
    std::memcpy(one.data(), &value, sizeof value);
    if (swap) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

template <class T = float>
labelled_table<T> read(const std::string& file, const table_options& options = {}) {
  return test::table_of<T>(file, options, "array.npy");
}

std::string problem(const std::string& file, const table_options& options = {}) {
  return test::problem_with(file, options, "array.npy");
}

template <class Stored>
void check_type(const std::string& letter, const std::vector<int>& numbers) {
  for (const bool swap : {false, true}) {
    const std::string type = (sizeof(Stored) == 1 ? "|"
                              : swap              ? ">"
                                                  : "<") +
                             letter + std::to_string(sizeof(Stored));
    CAPTURE(type);
    const std::string file = npy(dictionary(type, "(2, 3)"), bytes_of<Stored>(numbers, swap));
    CHECK(numbers_of(read(file)) == floats(numbers.begin(), numbers.end()));
    CHECK(numbers_of(read<double>(file)) == std::vector<double>(numbers.begin(), numbers.end()));
  }
}

}  // namespace

TEST_CASE("npy elements of every type and byte order are converted") {
  const std::vector<int> small{0, 1, 2, 100, 127, 5};
  const std::vector<int> negative{0, -1, 2, -128, 127, 5};
  check_type<std::uint8_t>("u", small);
  check_type<std::uint16_t>("u", small);
  check_type<std::uint32_t>("u", small);
  check_type<std::uint64_t>("u", small);
  check_type<std::int8_t>("i", negative);
  check_type<std::int16_t>("i", negative);
  check_type<std::int32_t>("i", negative);
  check_type<std::int64_t>("i", negative);
  check_type<float>("f", negative);
  check_type<double>("f", negative);
  CHECK(numbers_of(read(npy(dictionary("|b1", "(1, 2)"), std::string("\1\0", 2)))) == floats{1, 0});
}

TEST_CASE("npy headers of every version and layout are understood") {
  const std::string elements = bytes_of<float>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    CHECK(numbers_of(read(npy(dictionary("<f4", "(3, 2)"), elements, version))) == floats{1, 2, 3, 4, 5, 6});
  }
  // Keys in another order, other quotes, no spaces, Python 2's long numbers.
  CHECK(read(npy("{\"shape\":(3L,2L),\"fortran_order\":False,\"descr\":\"<f4\"}", elements)).values.rows() ==
        3);
  const auto list = read(npy(dictionary("<f4", "(6,)"), elements));
  CHECK(list.values.rows() == 6);
  CHECK(list.values.columns() == 1);
  const auto images = read(npy(dictionary("<f4", "(1, 2, 3)"), elements));
  CHECK(images.values.rows() == 1);
  CHECK(images.values.columns() == 6);
}

TEST_CASE("npy arrays in Fortran order are transposed") {
  const std::string elements = bytes_of<float>({1, 2, 3, 4, 5, 6});
  CHECK(numbers_of(read(npy(dictionary("<f4", "(2, 3)", "True"), elements))) == floats{1, 3, 5, 2, 4, 6});
  CHECK(numbers_of(read(npy(dictionary("<f4", "(6,)", "True"), elements))) == floats{1, 2, 3, 4, 5, 6});
  CHECK(problem(npy(dictionary("<f4", "(1, 2, 3)", "True"), elements)).find("Fortran order") !=
        std::string::npos);
  constexpr std::uint64_t rows = 40'000;
  std::vector<int> columns;
  for (std::uint64_t i = 0; i < 3 * rows; ++i) columns.push_back(static_cast<int>(i));
  const auto table = read(npy(dictionary("<f4", "(40000, 3)", "True"), bytes_of<float>(columns)));
  bool right = true;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < 3; ++column) {
      right = right && table.values.row(row)[column] == static_cast<float>(column * rows + row);
    }
  }
  CHECK(right);
}

TEST_CASE("npy files that are damaged or hold something else are refused") {
  const std::string elements = bytes_of<float>({1, 2, 3, 4, 5, 6});
  const std::string good = npy(dictionary("<f4", "(3, 2)"), elements);
  for (std::size_t size = 6; size < good.size(); ++size) {
    const std::string found = problem(good.substr(0, size));
    CAPTURE(size, found);
    CHECK(found.starts_with("5: cannot read"));
  }
  CHECK(problem(good + "x").find("1 bytes behind its 3 rows") != std::string::npos);
  const std::pair<std::string, const char*> cases[] = {
      {dictionary("<c8", "(3, 2)"), "of type '<c8'"},
      {dictionary("<f2", "(3, 2)"),
       "of type '<f2', and only integers, bool, float32 and float64 are read; save it again as another type: "
       "numpy.save(path, array.astype('float32'))"},
      {dictionary("<U5", "(3, 2)"), "of type '<U5'"},
      {dictionary("|O", "(3, 2)"), "of type '|O'"},
      {dictionary("<f16", "(3, 2)"), "of type '<f16'"},
      {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3, 2)}", "records"},
      {dictionary("<f4", "()"), "a single number"},
      {dictionary("<f4", "(0, 2)"), "holds no number"},
      {dictionary("<f4", "(3, -2)"), "not made of numbers"},
      {dictionary("<f4", "(3, 3)"), "asks for 3 rows of 3 numbers"},
      {dictionary("<f4", "(4611686018427387904, 4)"), "asks for"},
      {dictionary("<f4", "(4, 4611686018427387904, 4)"), "larger than any file"},
      {dictionary("<f4", "(99999999999999999999, 2)"), "not made of numbers"},
      {dictionary("<f4", "(3, 2)", "Maybe"), "neither True nor False"},
      {"{'descr': '<f4', 'shape': (3, 2)}", "lacks"},
      {"{'descr': '<f4', 'size': 3}", "unknown key 'size'"},
      {"{'descr': '<f4", "has no end"},
      {"(3, 2)", "no '{'"},
      {"", "no '{'"},
  };
  for (const auto& [header, reason] : cases) {
    const std::string found = problem(npy(header, elements));
    CAPTURE(header, found);
    CHECK(found.starts_with("5: "));
    CHECK(found.find(reason) != std::string::npos);
  }
  CHECK(problem(npy(dictionary("<f4", "(3, 2)"), elements, 4)).find("version 4") != std::string::npos);
}

TEST_CASE("Options of text are usage errors where the file is an array") {
  const std::string file = npy(dictionary("<f4", "(1, 2)"), bytes_of<float>({1, 2}));
  for (const table_options& options :
       {table_options{.delimiter = ','}, table_options{.header = false}, table_options{.label = "1"},
        table_options{.columns = {"1"}}, table_options{.leave_out = {"1"}},
        table_options{.symbols = symbol_columns::encode}}) {
    const std::string found = problem(file, options);
    CHECK(found.starts_with("2: "));
    CHECK(found.find("array.npy', which is a NumPy array") != std::string::npos);
  }
  CHECK(test::problem_with("1,2\n", {.labels_path = "labels.txt"}).starts_with("2: a file of labels"));
}

TEST_CASE("NaN and infinity of npy are refused with their row or dropped or kept") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const floats values{1, 2, 3, nan, 5, 6, -infinity, 8};
  std::string elements(values.size() * sizeof(float), '\0');
  std::memcpy(elements.data(), values.data(), elements.size());
  const std::string file = npy(dictionary("<f4", "(4, 2)"), elements);
  CHECK(problem(file).find("row 1 (the first is 0), column 2: the value is NaN") != std::string::npos);
  const auto dropped = read(file, {.rows = bad_rows::drop});
  CHECK(numbers_of(dropped) == floats{1, 2, 5, 6});
  CHECK(dropped.dropped.count == 2);
  CHECK(dropped.dropped.first.starts_with("row 1 "));
  CHECK(read(file, {.allow_non_finite = true}).values.rows() == 4);
  CHECK(problem(npy(dictionary("<f4", "(1, 1)"), elements.substr(12, 4)), {.rows = bad_rows::drop})
            .find("none is left") != std::string::npos);
}

TEST_CASE("The shape of an npy file is told before its values are looked at") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const floats values{1, 2, 3, nan, 5, 6};
  std::string elements(values.size() * sizeof(float), '\0');
  std::memcpy(elements.data(), values.data(), elements.size());
  std::uint64_t rows = 0, columns = 0;
  const auto told = [&](std::uint64_t r, std::uint64_t c) {
    rows = r;
    columns = c;
  };
  const std::string why = problem(npy(dictionary("<f4", "(3, 2)"), elements), {.on_shape = told});
  CHECK(why.find("the value is NaN") != std::string::npos);
  CHECK(rows == 3);
  CHECK(columns == 2);
}

TEST_CASE("A large npy file of the right type stays where it is mapped") {
  constexpr std::uint64_t rows = 100'001;
  matrix<float> numbers(rows, 3);
  for (std::uint64_t i = 0; i < rows * 3; ++i) numbers.data()[i] = static_cast<float>(i % 1009) / 8;
  const test::temporary_folder folder;
  const std::string path = folder.path("numbers.npy");
  write_npy(path, numbers.view());
  auto table = read_table<float>(path);
  CHECK(table.values.is_mapped());
  CHECK(table.values.rows() == rows);
  const auto same = [&](const auto& values) {
    return std::equal(values.begin(), values.end(), numbers.data(), numbers.data() + rows * 3);
  };
  CHECK(same(table.values.view().values()));
  const stored_matrix<float> moved = std::move(table.values);
  CHECK(same(moved.view().values()));
  const auto doubles = read_table<double>(path);
  CHECK_FALSE(doubles.values.is_mapped());
  CHECK(same(doubles.values.view().values()));
}

TEST_CASE("Labels beside an npy file belong to its rows") {
  const test::temporary_folder folder;
  const std::string rows =
      folder.write("rows.npy", npy(dictionary("<f4", "(3, 2)"), bytes_of<float>({1, 2, 3, 4, 5, 6})));
  const std::string numbers =
      folder.write("labels.npy", npy(dictionary("<i8", "(3,)"), bytes_of<std::int64_t>({10, -1, 10})));
  const std::string words = folder.write("labels.txt", "cat\ndog\ncat\n");
  const auto numbered = read_table<float>(rows, {.labels_path = numbers});
  CHECK(numbered.classes == std::vector<std::string>{"-1", "10"});
  CHECK(numbered.label_of_row == std::vector<std::uint32_t>{1, 0, 1});
  CHECK(test::labels_of(read_table<float>(rows, {.labels_path = words})) ==
        std::vector<std::string>{"cat", "dog", "cat"});
  const auto problem_of_labels = [&](const std::string& path) {
    return test::problem_of([&] { return read_table<float>(rows, {.labels_path = path}); });
  };
  CHECK(problem_of_labels(folder.write("few.txt", "a\nb\n")).find("2 labels for 3 rows") !=
        std::string::npos);
  CHECK(problem_of_labels(rows).find("2 numbers a row") != std::string::npos);
  // A label that only dropped rows have is no class.
  std::string values = bytes_of<float>({1, 2, 3, 4, 5, 6});
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(values.data() + 2 * sizeof infinity, &infinity, sizeof infinity);
  const std::string holes = folder.write("holes.npy", npy(dictionary("<f4", "(3, 2)"), values));
  const auto kept = read_table<float>(holes, {.rows = bad_rows::drop, .labels_path = numbers});
  CHECK(kept.classes == std::vector<std::string>{"10"});
  CHECK(kept.label_of_row == std::vector<std::uint32_t>{0, 0});
}

TEST_CASE("Written npy files begin their elements at a multiple of 64 and are read back") {
  const test::temporary_folder folder;
  for (const std::uint64_t columns : {1U, 2U, 7U, 1000U}) {
    matrix<double> numbers(3, columns);
    for (std::uint64_t i = 0; i < 3 * columns; ++i) numbers.data()[i] = static_cast<double>(i) / 3;
    const std::string path = folder.path("out.npy");
    write_npy(path, numbers.view(), columns == 1);
    const std::string file = test::content(path);
    CHECK((file.size() - 3 * columns * sizeof(double)) % 64 == 0);
    const array_header header = parse_npy_header(file, "out");
    CHECK(header.shape ==
          (columns == 1 ? std::vector<std::uint64_t>{3} : std::vector<std::uint64_t>{3, columns}));
    CHECK(header.type == native_element<double>);
    const auto table = read_table<double>(path);
    CHECK(std::equal(numbers.data(), numbers.data() + 3 * columns, table.values.view().data));
  }
  const std::vector<std::uint32_t> labels{7, 4'000'000'000U};
  write_npy(folder.path("labels.npy"), matrix_view<std::uint32_t>(labels.data(), 2, 1), true);
  CHECK(numbers_of(read_table<double>(folder.path("labels.npy"))) == std::vector<double>{7, 4e9});
}

TEST_CASE("Labels of many dropped rows are left out in one pass") {
  // When labels were removed one by one, half of these rows took 252 s.
  constexpr std::uint32_t rows = 1'600'000;
  std::vector<float> values(rows, 1);
  std::string labels;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (row % 4 < 2) values[row] = std::numeric_limits<float>::infinity();
    labels += std::to_string(row % 4) + "\n";
  }
  const test::temporary_folder folder;
  const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  const std::string path =
      folder.write("rows.npy", npy(dictionary("<f4", "(" + std::to_string(rows) + ", 1)"), bytes));
  const auto kept =
      read_table<float>(path, {.rows = bad_rows::drop, .labels_path = folder.write("labels.txt", labels)});
  CHECK(kept.classes == std::vector<std::string>{"2", "3"});
  REQUIRE(kept.label_of_row.size() == rows / 2);
  CHECK(kept.label_of_row.front() == 0);
  CHECK(kept.label_of_row.back() == 1);
  CHECK(std::ranges::count(kept.label_of_row, 1U) == rows / 4);
}

}  // namespace duomap::test::numeric_common_npy_header_test
