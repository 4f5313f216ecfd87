// Tests tables in each format: exact bytes for known rows, and hostile texts that come back unchanged.
#include "core/output/table_writer.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::core_output_table_writer_test {
namespace {

using row = std::vector<std::string>;

std::string table(table_format format, const std::vector<std::string>& columns,
                  const std::vector<std::vector<cell>>& rows) {
  return test::written([&](byte_sink& sink) {
    table_writer writer(sink, format, columns);
    for (const auto& cells : rows) {
      writer.row(cells);
    }
  });
}

std::string single(table_format format, cell value) { return table(format, {"x"}, {{value}}); }

cell text(std::string_view bytes) { return byte_view(bytes); }

// A random text of separators, quotes, escapes and line ends.
std::string hostile_text(std::mt19937& random) {
  static constexpr std::string_view alphabet("\\\t\n\r\",ntr'a \xC3\xA9\xFF\0{}:", 19);
  std::string result(random() % (random() % 8 == 0 ? 600 : 40), 'p');
  const std::size_t rare = 1 + random() % (2 + result.size());
  for (char& byte : result) {
    if (random() % rare == 0) byte = alphabet[random() % alphabet.size()];
  }
  return result;
}

std::vector<row> read_tsv(std::string_view lines) {
  std::vector<row> rows;
  row cells(1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    switch (lines[i]) {
      case '\n':
        rows.push_back(cells);
        cells.assign(1, "");
        break;
      case '\t':
        cells.emplace_back();
        break;
      case '\\':
        ++i;
        cells.back() += lines[i] == 't' ? '\t' : lines[i] == 'n' ? '\n' : lines[i] == 'r' ? '\r' : lines[i];
        break;
      default:
        cells.back() += lines[i];
    }
  }
  REQUIRE(cells == row(1));  // the last line is complete
  return rows;
}

std::vector<row> read_csv(std::string_view lines) {
  std::vector<row> rows;
  row cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char byte = lines[i];
    if (quoted && byte == '"' && i + 1 < lines.size() && lines[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (byte == '"') {
      quoted = !quoted;
    } else if (!quoted && byte == ',') {
      cells.emplace_back();
    } else if (!quoted && byte == '\n') {
      rows.push_back(cells);
      cells.assign(1, "");
    } else {
      cells.back() += byte;
    }
  }
  REQUIRE(!quoted);
  return rows;
}

}  // namespace

TEST_CASE("the same rows in every format", "[core][output]") {
  const std::vector<std::vector<cell>> rows = {
      {text("the"), std::uint64_t{18446744073709551615U}, std::int64_t{-9223372036854775807 - 1}, 0.1},
      {text("a,b"), std::uint64_t{0}, std::int64_t{0}, -2.5e-300},
  };
  const std::vector<std::string> columns = {"word", "count", "change", "share"};
  CHECK(table(table_format::tsv, columns, rows) ==
        "the\t18446744073709551615\t-9223372036854775808\t0.1\n"
        "a,b\t0\t0\t-2.5e-300\n");
  CHECK(table(table_format::csv, columns, rows) ==
        "word,count,change,share\n"
        "the,18446744073709551615,-9223372036854775808,0.1\n"
        "\"a,b\",0,0,-2.5e-300\n");
  CHECK(table(table_format::jsonl, columns, rows) ==
        "{\"word\":\"the\",\"count\":18446744073709551615,\"change\":-9223372036854775808,\"share\":0.1}\n"
        "{\"word\":\"a,b\",\"count\":0,\"change\":0,\"share\":-2.5e-300}\n");
}

TEST_CASE("a table without rows", "[core][output]") {
  CHECK(table(table_format::tsv, {"a", "b"}, {}).empty());
  CHECK(table(table_format::csv, {"a", "b, c"}, {}) == "a,\"b, c\"\n");
  CHECK(table(table_format::jsonl, {"a", "b"}, {}).empty());
}

TEST_CASE("texts that need care", "[core][output]") {
  CHECK(single(table_format::tsv, text("a\tb\nc\rd\\e")) == "a\\tb\\nc\\rd\\\\e\n");
  CHECK(single(table_format::tsv, text("")) == "\n");
  CHECK(single(table_format::terminal, text("a\tb\\\x1b[1m\x9b\xc2\x9b\xc3\xa9\x7f\xff")) ==
        "a\\tb\\\\\\x1b[1m\\x9b\\xc2\\x9b\xc3\xa9\\x7f\\xff\n");
  CHECK(table(table_format::jsonl, {"a\"b\\"}, {{std::uint64_t{1}}}) == "{\"a\\\"b\\\\\":1}\n");
  CHECK(single(table_format::csv, text("")) == "x\n\"\"\n");
  CHECK(single(table_format::csv, text("say \"hi\"")) == "x\n\"say \"\"hi\"\"\"\n");
  CHECK(single(table_format::csv, text("\"")) == "x\n\"\"\"\"\n");
  CHECK(single(table_format::csv, text("a\rb")) == "x\n\"a\rb\"\n");
  CHECK(single(table_format::csv, text("it's")) == "x\nit's\n");
  CHECK(single(table_format::jsonl, text("\xFF")) == "{\"x_base64\":\"/w==\"}\n");
  CHECK(single(table_format::jsonl, text("\xC3\xA9")) == "{\"x\":\"\xC3\xA9\"}\n");
  CHECK(table(table_format::jsonl, {"a", "b"}, {{text("\xFF"), text("\n")}}) ==
        "{\"a_base64\":\"/w==\",\"b\":\"\\n\"}\n");
}

TEST_CASE("doubles that are no decimal number", "[core][output]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const table_format format : {table_format::tsv, table_format::csv}) {
    const std::string header = format == table_format::csv ? "x\n" : "";
    CHECK(single(format, infinity) == header + "inf\n");
    CHECK(single(format, -infinity) == header + "-inf\n");
    CHECK(single(format, nan) == header + "nan\n");
    CHECK(single(format, -nan) == header + "nan\n");
  }
  CHECK(single(table_format::jsonl, infinity) == "{\"x\":\"inf\"}\n");
  CHECK(single(table_format::jsonl, -infinity) == "{\"x\":\"-inf\"}\n");
  CHECK(single(table_format::jsonl, -nan) == "{\"x\":\"nan\"}\n");
}

TEST_CASE("doubles read back as the same double", "[core][output]") {
  std::mt19937_64 random(test::seed());
  using limits = std::numeric_limits<double>;
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 1.0,
                                 0.1,
                                 1e15,
                                 1e16,
                                 1e21,
                                 1e22,
                                 limits::max(),
                                 limits::min(),
                                 limits::denorm_min(),
                                 -2.2250738585072014e-308};
  while (numbers.size() < 1000) {
    const double number = std::bit_cast<double>(random());
    if (number - number == 0) {
      numbers.push_back(number);
    }
  }
  for (const double number : numbers) {
    const std::string line = single(table_format::tsv, number);
    double back = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), back);
    CAPTURE(line, test::seed());
    REQUIRE((problem == std::errc() && *end == '\n'));
    REQUIRE(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number));
  }
}

TEST_CASE("readers get hostile texts back", "[core][output]") {
  std::mt19937 random(test::seed());
  for (int round = 0; round < 200; ++round) {
    std::vector<row> rows(random() % 5, row(1 + random() % 3));
    std::vector<std::vector<cell>> cells;
    const std::size_t columns = rows.empty() ? 1 : rows[0].size();
    for (row& texts : rows) {
      texts.resize(columns);
      cells.emplace_back();
      for (std::string& content : texts) {
        content = hostile_text(random);
        cells.back().push_back(text(content));
      }
    }
    const std::vector<std::string> names(columns, "name");
    CAPTURE(round, test::seed());
    REQUIRE(read_tsv(table(table_format::tsv, names, cells)) == rows);
    std::vector<row> with_header = rows;
    with_header.insert(with_header.begin(), names);
    REQUIRE(read_csv(table(table_format::csv, names, cells)) == with_header);
  }
}

TEST_CASE("texts longer than the sink's buffer", "[core][output]") {
  const std::string plain(2 * byte_sink::capacity + 1, 'x');
  const std::string escaped(byte_sink::capacity + 1, '\n');
  CHECK((single(table_format::tsv, text(plain)) == plain + "\n"));
  CHECK((single(table_format::csv, text(escaped)) == "x\n\"" + escaped + "\"\n"));
  CHECK((read_tsv(single(table_format::tsv, text(escaped))) == std::vector<row>{{escaped}}));
  CHECK(single(table_format::jsonl, text(escaped)).size() == 2 * escaped.size() + 9);
}

TEST_CASE("a wrong number of cells or a bad column is a bug of the caller", "[core][output]") {
  test::written([](byte_sink& sink) {
    table_writer writer(sink, table_format::tsv, {"a", "b"});
    CHECK_THROWS_AS(writer.row({std::uint64_t{1}}), std::logic_error);
    CHECK_THROWS_AS(table_writer(sink, table_format::tsv, {}), std::logic_error);
    CHECK_THROWS_AS(table_writer(sink, table_format::jsonl, {"a\xFF"}), std::logic_error);
  });
}

}  // namespace duomap::core_output_table_writer_test
