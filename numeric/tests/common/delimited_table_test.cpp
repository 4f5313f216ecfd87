// Tests delimited text in any format and cut anywhere: its tables, and the errors with their places.
#include "numeric/common/delimited_table.hpp"

#include "core/chunk.hpp"
#include "core/worker_pool.hpp"
#include "numeric/tests/common/support.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_common_delimited_table_test {

using test::labels_of;
using test::numbers_of;
using test::problem_with;
using test::table_of;

namespace {

using floats = std::vector<float>;
using texts = std::vector<std::string>;

/// Replaces `text` between the reader's two loops: the first counts rows, and the second converts them.
class rewriting_pool final : public worker_pool {
 public:
  rewriting_pool(std::string& text, const std::string& later) : text_(text), later_(later) {}
  [[nodiscard]] unsigned workers() const noexcept override { return 2; }
  void run_workers(const std::function<void(unsigned)>& body) override {
    if (++loops_ == 2) std::copy(later_.begin(), later_.end(), text_.begin());
    for (unsigned worker = 0; worker < workers(); ++worker) body(worker);
  }

 private:
  std::string& text_;
  const std::string& later_;
  int loops_ = 0;
};

std::string repeated(const std::string& part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

}  // namespace

TEST_CASE("Delimited text is rows of numbers whatever stands between them") {
  const floats expected{1, 2.5F, -3, 4e5F, 0.125F, 6};
  const std::string rows[] = {
      "1,2.5,-3\n4e5,.125,6\n",
      "1\t2.5\t-3\n4e5\t.125\t6\n",
      "1;2.5;-3\n4e5;.125;6\n",
      "1 2.5 -3\n4e5 .125 6\n",
      "  1   2.5  -3  \n 4e5 .125\t6",
      "1,2.5,-3\r\n4e5,.125,6\r\n",
      "1, 2.5 , -3 \n4e5,.125,+6",
      "\"1\",\"2.5\",-3\n4e5,.125,\"6\"\n",
      "\n\n1,2.5,-3\n \t \r\n4e5,.125,6\n\n",
      "\xEF\xBB\xBF"
      "1,2.5,-3\n4e5,.125,6",
  };
  for (const std::string& text : rows) {
    CAPTURE(text);
    const auto table = table_of(text);
    CHECK(table.values.rows() == 2);
    CHECK(table.values.columns() == 3);
    CHECK(numbers_of(table) == expected);
    CHECK(table.column_names.empty());
    CHECK(table.classes.empty());
  }
  CHECK(numbers_of(table_of("1|2|3\n", {.delimiter = '|'})) == floats{1, 2, 3});
  CHECK(numbers_of(table_of(" 1\t2.5 \t -3\t\n", {.delimiter = ' '})) == floats{1, 2.5F, -3});
  CHECK(numbers_of(table_of("1 ,\t2.5\t,-3\n", {.delimiter = ','})) == floats{1, 2.5F, -3});
  CHECK(numbers_of(table_of("7")) == floats{7});
}

TEST_CASE("Numbers of text are the nearest of their type") {
  const auto table = table_of<float>("16777217 0.1 1e-50 1e-46 3.4028235e38 -0 1e-45\n");
  CHECK(numbers_of(table) == floats{16777216, 0.1F, 0, 0, std::numeric_limits<float>::max(), -0.0F,
                                    std::numeric_limits<float>::denorm_min()});
  CHECK(std::signbit(table.values.row(0)[5]));
  CHECK(numbers_of(table_of<double>("1e-400,5e-324,0.1,9007199254740993\n")) ==
        std::vector<double>{0, 5e-324, 0.1, 9007199254740992.0});
  // These numbers are too small for a float: they become the smallest float, because it is nearer than 0.
  CHECK(numbers_of(table_of<float>("0.8e-45\n0.6e-45\n")) ==
        floats{std::numeric_limits<float>::denorm_min(), 0});
}

TEST_CASE("The first line of text is a header when it has no number and the next one has") {
  const auto named = table_of("height, \"the \"\"weight\"\"\",x\n1,2,3\n");
  CHECK(named.column_names == texts{"height", "the \"weight\"", "x"});
  CHECK(numbers_of(named) == floats{1, 2, 3});
  CHECK(table_of("1,2,3\n4,5,6\n").column_names.empty());
  CHECK(table_of("a,b\nc,d\n", {.symbols = symbol_columns::encode}).values.rows() == 2);
  CHECK(table_of("1,2\n3,4\n", {.header = true}).column_names == texts{"1", "2"});
  CHECK(problem_with("a,b\n1,2\n", {.header = false}).find("line 1: column 1: 'a' is not a number") !=
        std::string::npos);
  CHECK(problem_with("a,b\n").find("line 1: column 1: 'a' is not a number") != std::string::npos);
  CHECK(problem_with("a,b\n", {.header = true}).find("nothing behind its header") != std::string::npos);
}

TEST_CASE("Columns of text are chosen by name and number and last") {
  const std::string text = "id,x,y,class\n7,1,2,blue\n8,3,4,red\n9,5,6,blue\n";
  const auto chosen = table_of(text, {.label = "class", .leave_out = {"id"}});
  CHECK(numbers_of(chosen) == floats{1, 2, 3, 4, 5, 6});
  CHECK(chosen.column_names == texts{"x", "y"});
  CHECK(labels_of(chosen) == texts{"blue", "red", "blue"});
  CHECK(chosen.classes == texts{"blue", "red"});
  CHECK(numbers_of(table_of(text, {.label = "last", .columns = {"3", "x"}})) == floats{1, 2, 3, 4, 5, 6});
  CHECK(numbers_of(table_of(text, {.columns = {"1"}})) == floats{7, 8, 9});
  CHECK(problem_with(text, {.label = "colour"}).starts_with("2: "));
  CHECK(problem_with(text, {.label = "5"}).find("has no column '5'; it has 4") != std::string::npos);
  CHECK(problem_with(text, {.label = "0"}).starts_with("2: "));
  CHECK(problem_with("x,x\n1,2\n", {.label = "x"}).find("several columns called 'x'") != std::string::npos);
  CHECK(problem_with("1,2\n", {.leave_out = {"1", "2"}}).find("no column") != std::string::npos);
}

TEST_CASE("Classes ascend as numbers when all of them are and as bytes when not") {
  CHECK(table_of("1,10\n1,9\n1,-2\n", {.label = "2"}).classes == texts{"-2", "9", "10"});
  CHECK(table_of("1,10\n1,9\n1,b\n", {.label = "2"}).classes == texts{"10", "9", "b"});
  CHECK(table_of("1,1\n1,1.0\n", {.label = "2"}).classes == texts{"1", "1.0"});
  CHECK(label_numbers(table_of("1,+1\n1,-1\n1,0.5\n", {.label = "2"}), "t") ==
        std::vector<double>{1, -1, 0.5});
  CHECK_THROWS_AS(label_numbers(table_of("1,a\n", {.label = "2"}), "t"), input_error);
}

TEST_CASE("A table without rows or with one of another length is refused with its line") {
  for (const std::string text : {"", "\n\n", " \r\n\t\n"})
    CHECK(problem_with(text).find("has no row") != std::string::npos);
  CHECK(problem_with("1,2\n3\n").find("line 2: 1 field, and the first line has 2") != std::string::npos);
  CHECK(problem_with("1,2\n3,4,5\n").find("line 2: 3 fields, and the first line has 2") != std::string::npos);
  CHECK(problem_with("1 2\n3\n").find("line 2: 1 field,") != std::string::npos);
  CHECK(problem_with("1 2\n3 4 5\n").find("line 2: 3 fields,") != std::string::npos);
  CHECK(problem_with("x,y\n1,2\n\n3,4,5\n").find("line 4: 3 fields, and the header has 2") !=
        std::string::npos);
  CHECK(problem_with("x,y,z\n1,2\n").find("line 2: 2 fields below a header of 3 names") != std::string::npos);
}

TEST_CASE("What is no number of text is refused with line and column") {
  const std::pair<const char*, const char*> cases[] = {
      {"1,2\n3,\n", "line 2: column 2: the value is missing"},
      {"1,2\n?,4\n", "line 2: column 1: the value is missing"},
      {"1,2\nNA,4\n", "line 2: column 1: the value is missing"},
      {"1,2\n3,NaN\n", "line 2: column 2: the value is missing"},
      {"1,2\n3,\"\"\n", "line 2: column 2: the value is missing"},
      {"1,2\n3,-inf\n", "line 2: column 2: '-inf' is infinite"},
      {"1,2\n3,-nan\n", "line 2: column 2: '-nan' is no number"},
      {"1,2\n3,1e39\n", "line 2: column 2: '1e39' is too large for float32"},
      {"1,2\n3,0x10\n", "line 2: column 2: '0x10' is not a number"},
      {"1,2\n3,1 2\n", "line 2: column 2: '1 2' is not a number"},
      {"1,2\n3,--1\n", "line 2: column 2: '--1' is not a number"},
      {"1,2\n3,+-1\n", "line 2: column 2: '+-1' is not a number"},
      {"1,2\n3,1\r1\n", "line 2: column 2: '1\\x0d1' is not a number"},
      {"1,2\n3,\"4\n5,6\"\n", "line 2: column 2: the quote before '4' is not closed"},
      {"1,2\n3,\"4\"5\n", "line 2: column 2: the quote before '4' is not closed"},
      {"x,y\n1,2\n3,z\n", "line 3: column 2 ('y'): 'z' is not a number"},
      {"name,x\n\"a\nb\",1\n", "line 2: column 1 ('name'): the quote before 'a' is not closed"},
      {"x,name,y\n1,\"a\nb\",2\n3,c,4\n", "line 2: column 2 ('name'): the quote before 'a' is not closed"},
      {"x,name\n1,\"a\nb\"\n3,c\n", "line 2: column 2 ('name'): the quote before 'a' is not closed"},
      {"name,x\n\"a\nb\nc\",1\n", "line 2: column 1 ('name'): the quote before 'a' is not closed"},
  };
  for (const auto& [text, problem] : cases) {
    CAPTURE(text);
    const std::string found = problem_with(text);
    CAPTURE(found);
    CHECK(found.starts_with("5: "));
    CHECK(found.find(problem) != std::string::npos);
  }
  CHECK(problem_with(std::string("1,2\n3,4\0\n", 9)).find("line 2: column 2: '4\\x00' is not a number") !=
        std::string::npos);
  CHECK(problem_with("name,x,y\n\"a\nb\",1,2\nc,3,4\n", {.leave_out = {"name"}})
            .find("line 2: column 1 ('name'): the quote before 'a' is not closed") != std::string::npos);
  CHECK(problem_with("1,\n", {.label = "2"}).find("line 1: column 2: the label is missing") !=
        std::string::npos);
}

TEST_CASE("What a message advises is what the program can do") {
  const table_options all{.advice = table_advice::all};
  const table_options rows{.advice = table_advice::bad_rows};
  const std::tuple<const char*, table_options, const char*> cases[] = {
      {"x,1990,z\n1,2,3\n", all,
       "line 1: column 1: 'x' is not a number; if this line names the columns, give --header yes; otherwise "
       "correct it, leave the column out (--leave-out), give its texts numbers (--symbols encode), or have "
       "such "
       "rows dropped (--bad-rows drop)"},
      {"x,1990,z\n1,2,3\n", {}, "line 1: column 1: 'x' is not a number; correct it"},
      {"1,2\n3,a\n", all,
       "'a' is not a number; correct it, leave the column out (--leave-out), give its texts numbers "
       "(--symbols "
       "encode), or have such rows dropped (--bad-rows drop)"},
      {"1,2\n3,a\n", rows, "'a' is not a number; correct it, or have such rows dropped (--bad-rows drop)"},
      {"1,2\n3,\xe2\x88\x92"
       "4\n",
       {},
       "line 2: column 2: '\\xe2\\x88\\x92"
       "4' is not a number (its minus sign is U+2212 instead of -); correct it"},
      {"1,2\n3,\xc2\xa0"
       "4\n",
       {},
       "line 2: column 2: '\\xc2\\xa0"
       "4' is not a number (it has the no-break space U+00A0); correct it"},
      {"1,5;2,5\n", all,
       "'5;2' is not a number (it has ';' between numbers); give the delimiter (--delimiter), leave the "
       "column out (--leave-out), correct it, or "
       "have such rows dropped (--bad-rows drop)"},
      {"1,5;2,5\n", {}, "'5;2' is not a number (it has ';' between numbers); correct it"},
      {"a:b\n1:2\n", all,
       "line 2: column 1 ('a:b'): '1:2' is not a number (it has ':' between numbers); give the delimiter "
       "(--delimiter), leave the column out (--leave-out), correct it, or have such rows dropped (--bad-rows "
       "drop)"},
      {"a,b\r1,2\r", all,
       "its lines end with carriage returns alone; write line feeds first, with tr '\\r' '\\n'"},
      {"0x1,2\n3,4\n", all,
       "'0x1' is not a number (it is hexadecimal); correct it, or have such rows dropped (--bad-rows drop)"},
      {"1,2\n3,\n", all, "the value is missing; correct it, or have such rows dropped (--bad-rows drop)"},
      {"1,2\n3\n", all,
       "line 2: 1 field, and the first line has 2; correct it, give the delimiter if it is another one "
       "(--delimiter), "
       "or have such rows dropped (--bad-rows drop)"},
      {"1,2\n3,\"4\n5\"\n",
       {},
       "line 2: column 2: the quote before '4' is not closed where the field ends; a field holds no line "
       "break: take it "
       "out"},
  };
  for (const auto& [text, options, problem] : cases) {
    const std::string found = problem_with(text, options);
    CAPTURE(text, found);
    CHECK(found.ends_with(problem));
  }
}

TEST_CASE("Bad rows of text are dropped and counted on request") {
  const auto table =
      table_of("1,2,a\n3,?,b\n4,5\n6,x,a\n7,8,c\n9,inf,c\n", {.label = "3", .rows = bad_rows::drop});
  CHECK(numbers_of(table) == floats{1, 2, 7, 8});
  CHECK(labels_of(table) == texts{"a", "c"});
  CHECK(table.dropped.count == 4);
  CHECK(table.dropped.first == "line 2: column 2: the value is missing");
  CHECK(problem_with("1,?\n?,1\n", {.rows = bad_rows::drop}).find("no row of") != std::string::npos);
  CHECK(table_of("1,2\n", {.rows = bad_rows::drop}).dropped.first.empty());
}

TEST_CASE("Labels that only dropped rows have are no classes") {
  const std::string text = "a,1\nb,x\nc,2\nb,\na,3\n";
  const auto table = table_of<float>(text, {.label = "1", .rows = bad_rows::drop});
  CHECK(table.classes == std::vector<std::string>{"a", "c"});
  CHECK(table.label_of_row == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(table.dropped.count == 2);
}

TEST_CASE("NaN and infinity of text are values on request, what is missing is none") {
  for (const char* const missing : {"1,\n", "1,?\n", "1,NA\n", "1,null\n"}) {
    CAPTURE(missing);
    CHECK(problem_with(missing, {.allow_non_finite = true}).find("line 1: column 2: the value is missing") !=
          std::string::npos);
  }
  const auto table = table_of("1,nan,inf\nNaN,-nan,-inf\n", {.allow_non_finite = true});
  const floats values = numbers_of(table);
  CHECK(std::isnan(values[1]));
  CHECK(values[2] == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(values[3]));
  CHECK(std::isnan(values[4]));
  CHECK(values[5] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("Columns of symbols are refused or numbered in byte order or left out") {
  const std::string text = "1,tcp,SF\n2,udp,\"S,0\"\n3,icmp,SF\n4,tcp,REJ\n";
  CHECK(problem_with(text).find("line 1: column 2: 'tcp' is not a number") != std::string::npos);
  const auto encoded = table_of(text, {.symbols = symbol_columns::encode});
  CHECK(numbers_of(encoded) == floats{1, 1, 2, 2, 2, 1, 3, 0, 2, 4, 1, 0});
  CHECK(encoded.symbols == std::vector<texts>{{}, {"icmp", "tcp", "udp"}, {"REJ", "S,0", "SF"}});
  CHECK(numbers_of(table_of(text, {.symbols = symbol_columns::leave_out})) == floats{1, 2, 3, 4});

  table_options same{.symbols = symbol_columns::encode};
  same.known_symbols = encoded.symbols;
  const auto second = table_of("5,udp,REJ\n", same);
  CHECK(numbers_of(second) == floats{5, 2, 0});
  CHECK(second.symbols == encoded.symbols);
  CHECK(problem_with("5,udp,REJ\n5,gre,SF\n", same).find("line 2: column 2: 'gre' is not among") !=
        std::string::npos);
  CHECK(problem_with("5,udp\n", same).starts_with("2: "));
}

TEST_CASE("A delimiter that is part of numbers or quotes is a usage error") {
  for (const char delimiter : {'1', '-', '+', '.', '"', 'e', '\n', '\r'}) {
    CHECK(problem_with("1,2\n", {.delimiter = delimiter}).starts_with("2: a delimiter cannot be '"));
  }
}

TEST_CASE("Long lines and wide rows of text are read") {
  constexpr std::size_t columns = 200'000;
  std::string text;
  for (int row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < columns; ++i)
      text += std::to_string(row + 1) + (i + 1 < columns ? "," : "\n");
  }
  const auto table = table_of(text);
  CHECK(table.values.rows() == 3);
  CHECK(table.values.columns() == columns);
  CHECK(table.values.row(2)[columns - 1] == 3);
  CHECK(problem_with(std::string(1'000'000, 'x')).find("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'") !=
        std::string::npos);
  CHECK(problem_with("1,2\n" + std::string(1'000'000, ',')).find("line 2: ") != std::string::npos);
}

TEST_CASE("Synthetic text of many chunks is the table that it was made of") {
  const auto seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  const std::size_t rows = torture ? 300 : 12'000;
  const std::size_t columns = 1 + below(9);
  std::string text;
  floats numbers;
  texts labels;
  std::uint64_t bad = 0;
  std::uint64_t first_bad_line = 0;
  std::uint64_t line = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string end = below(2) == 0 ? "\n" : "\r\n";
    // Blank lines come at random, also before the first row, which decides the number of fields.
    if (below(50) == 0) {
      text += below(2) == 0 ? end : "  " + end;
      ++line;
    }
    ++line;
    const bool is_bad = row > 0 && below(40) == 0;
    const std::size_t bad_column = below(static_cast<std::uint32_t>(columns));
    for (std::size_t column = 0; column < columns; ++column) {
      const float value = std::ldexp(static_cast<float>(random()) - 2e9F, static_cast<int>(below(60)) - 50);
      char digits[32];
      std::string field(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
      if (is_bad && column == bad_column) {
        const char* const wrong[] = {"", "?", "12a", "1e99", "inf", "1,1"};
        field = wrong[below(6)];
      } else {
        if (!is_bad) numbers.push_back(value);
        if (below(10) == 0) field = "\"" + field + "\"";
        if (below(10) == 0) field = " " + field + "  ";
      }
      text += field + ",";
    }
    const std::string label = "class" + std::to_string(below(30));
    text += label;
    if (row + 1 < rows || below(2) == 0) text += end;
    if (is_bad) {
      if (bad++ == 0) first_bad_line = line;
    } else {
      labels.push_back(label);
    }
  }
  const test::temporary_folder folder;
  const std::string path = folder.write("made.csv", text);
  for (const unsigned threads : {1U, 2U, 0U}) {
    const auto table = read_table<float>(path, {.label = "last", .rows = bad_rows::drop, .threads = threads});
    CHECK(table.values.columns() == columns);
    CHECK(numbers_of(table) == numbers);
    CHECK(labels_of(table) == labels);
    CHECK(table.dropped.count == bad);
    const std::string where = "line " + std::to_string(first_bad_line) + ":";
    CHECK(table.dropped.first.starts_with(bad > 0 ? where : ""));
    const std::string problem =
        test::problem_of([&] { return read_table<float>(path, {.label = "last", .threads = threads}); });
    CHECK((bad == 0) == problem.empty());
    CHECK((bad == 0 || problem.find(where) != std::string::npos));
  }
}

TEST_CASE("Delimited text whose rows change after they were counted is refused") {
  // Enough rows for several chunks. When the rows double, the matrix has too little room for them.
  constexpr std::size_t rows = 200'000;
  const std::string counted[] = {repeated("11111\n", rows), repeated("1\n1\n1\n", rows)};
  const std::string later[] = {repeated("1\n1\n1\n", rows), repeated("11111\n", rows)};
  for (const bad_rows rule : {bad_rows::error, bad_rows::drop}) {
    for (const std::size_t i : {0U, 1U}) {
      std::string text = counted[i] + std::string(read_padding, '\0');
      rewriting_pool pool(text, later[i]);
      const byte_view bytes(text.data(), counted[i].size());
      const table_options options{.rows = rule};
      const std::string problem =
          test::problem_of([&] { return read_delimited<float>(bytes, "'t.csv'", options, pool); });
      CAPTURE(rule, i);
      CHECK(problem.starts_with("5: 't.csv' was rewritten while it was being read"));
    }
  }
}

}  // namespace duomap::test::numeric_common_delimited_table_test
