// Tests the scanner of JSON rows on random documents, right and damaged, against a parser of JSON.
#include "apps/tasks/table/json_row.hpp"

#include "apps/tasks/table/json_path_tree.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::apps_tasks_table_json_row_test {
namespace {

using namespace duomap::apps;
using nlohmann::json;

const std::vector<std::string> columns = {"a",     "b", "user", "user.id",  "user.name.first",
                                          "x.y",   "x", "deep", "a.b",      "longer_name",
                                          "\"q\"", "",  "d.",   "user.id.z"};

/// Writes random documents. Names repeat, and blanks stand wherever they may.
class document_writer {
 public:
  explicit document_writer(std::mt19937_64& random) : random_(random) {}

  std::string object(unsigned depth) {
    std::string text = "{" + blanks();
    const std::uint64_t members = random_() % 6;
    for (std::uint64_t i = 0; i < members; ++i)
      text += (i > 0 ? "," + blanks() : "") + name() + blanks() + ":" + blanks() + value(depth) + blanks();
    return text + "}";
  }

 private:
  std::string blanks() {
    std::string text;
    while (random_() % 5 == 0) text += " \t\r "[random_() % 4];
    return text;
  }

  std::string name() {
    static const std::vector<std::string> names = {
        "a",  "b", "user", "id",      "name",           "first", "x.y",         "x",
        "y",  "z", "deep", "user.id", "other",          "a.b",   "longer_name", "",
        "d.", "d", "c",    "usex",    "longer_name_as", "\"q",   "\"q\"",       "user.name.first"};
    return string(names[random_() % names.size()]);
  }

  // Any character may stand as an escape.
  std::string string(const std::string& content) {
    std::string text = "\"";
    const bool escapes = random_() % 4 == 0;
    for (const char c : content) {
      static constexpr std::string_view digits = "0123456789abcdefABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80 && escapes && random_() % 3 == 0) {
        text += "\\u00";
        text += digits[byte >> 4];
        text += digits[(byte & 15) >= 10 && random_() % 2 == 0 ? (byte & 15) + 6 : byte & 15];
      } else if (c == '"' || c == '\\' || (c == '/' && escapes)) {
        text += {'\\', c};
      } else {
        text += c;
      }
    }
    return text + "\"";
  }

  std::string value(unsigned depth) {
    static const std::vector<std::string> scalars = {
        "null",    "true", "false", "0",      "-0",   "12",
        "-7.25",   "1e3",  "5E-2",  "0.1e+7", "-0.0", "123456789012345678901234567890",
        "0.000001"};
    static const std::vector<std::string> strings = {R"("\n")", R"("\"\\\/\b\f\n\r\t")",
                                                     R"("\ud83d\uDE00 \u00e4 \u20ac")", R"("\u0000\u000a")",
                                                     R"("}]{[,:")"};
    static const std::vector<std::string> contents = {
        "",     "x", "eight by", "a string of more than eight bytes", "\xC3\xA4\xE2\x82\xAC", "back\\slash",
        "q\"q", "/"};
    switch (random_() % (depth > 0 ? 8 : 6)) {
      case 0:
      case 1:
      case 2:
        return scalars[random_() % scalars.size()];
      case 3:
        return strings[random_() % strings.size()];
      case 4:
      case 5:
        return string(contents[random_() % contents.size()]);
      case 6:
        return object(depth - 1);
      default:
        break;
    }
    std::string text = "[" + blanks();
    const std::uint64_t elements = random_() % 4;
    for (std::uint64_t i = 0; i < elements; ++i)
      text += (i > 0 ? "," + blanks() : "") + value(depth - 1) + blanks();
    return text + "]";
  }

  std::mt19937_64& random_;
};

/// The value of a column by its definition; null if it is missing.
json expected_value(const json& row, const std::string& column) {
  if (row.contains(column)) return row[column];
  const json* at = &row;
  for (std::size_t begin = 0; begin <= column.size();) {
    const std::size_t end = std::min(column.find('.', begin), column.size());
    const std::string name = column.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(name)) return nullptr;
    at = &(*at)[name];
    begin = end + 1;
  }
  return *at;
}

bool is_right(const json_values& found, unsigned column, const json& expected) {
  if (expected.is_null()) return !found.has(column);
  if (!found.has(column) || found.is_string(column) != expected.is_string()) return false;
  const byte_view text = found.text(column);
  if (!expected.is_string()) return json::parse(text.text()) == expected;
  std::string decoded;
  const bool all = decode_json(text, [&](char byte) {
    decoded += byte;
    return true;
  });
  const auto content = expected.get<std::string>();
  return all && decoded == content &&
         found.is_escaped(column) == (text.text().find('\\') != std::string::npos) &&
         order_of_decoded(text, byte_view(content)) == 0 &&
         order_of_decoded(text, byte_view(content + "x")) == -1;
}

/// Whether the scanner accepts a text that the parser accepts, and finds its columns. With `exact` the
/// scanner must also refuse every text that the parser refuses.
bool is_read_right(const std::string& text, const json_paths& paths, bool exact) {
  json expected;
  bool right = true;
  try {
    expected = json::parse(text);
    right = expected.is_object();
  } catch (const json::out_of_range&) {
    return true;  // a number beyond doubles is left to the column's type
  } catch (const json::parse_error&) {
    right = false;
  }
  const guarded_bytes bytes(text);
  json_values found;
  json_scan scan(bytes.view(), paths, found);
  const json_status status = scan.run();
  const char* const place = scan.place();
  if (status != json_status::row && (place < bytes.data() || place > bytes.data() + text.size()))
    return false;
  if (!right) return status != json_status::row || !exact;
  if (status != json_status::row) return false;
  for (unsigned c = 0; c < columns.size(); ++c) {
    if (!is_right(found, c, expected_value(expected, columns[c]))) return false;
  }
  return true;
}

std::string damaged(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view bytes = "{}[]\",:\\u0123456789abcdeftrlns.+-E /\t\r\x01\x7f";
  for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
    const std::size_t at = random() % (text.size() + 1);
    switch (random() % 4) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.insert(at, 1, bytes[random() % bytes.size()]);
        break;
      case 2:
        text.erase(at, 1 + random() % 3);
        break;
      default:
        if (at < text.size()) text[at] = bytes[random() % bytes.size()];
    }
  }
  return text;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

json_status status_of(const std::string& text) {
  const guarded_bytes bytes(text);
  json_values found;
  return json_scan(bytes.view(), json_paths_of({"a", "a.b"}), found).run();
}

constexpr unsigned documents = torture ? 500 : 20'000;

}  // namespace

TEST_CASE("JSON rows: the columns of random documents are those of a parser") {
  auto random = std::mt19937_64(seed());
  const json_paths paths = json_paths_of(columns);
  for (unsigned i = 0; i < documents; ++i) {
    const std::string text = document_writer(random).object(4);
    CAPTURE(text);
    REQUIRE(is_read_right(text, paths, true));
  }
}

TEST_CASE("JSON rows: a damaged document is refused if a parser refuses it") {
  auto random = std::mt19937_64(seed());
  const json_paths paths = json_paths_of(columns);
  for (unsigned i = 0; i < 2 * documents; ++i) {
    const std::string text = damaged(document_writer(random).object(3), random);
    CAPTURE(text);
    // The scanner does not check UTF-8, which a change of a byte can break.
    REQUIRE(is_read_right(text, paths, is_ascii(text)));
  }
}

TEST_CASE("JSON rows: every fault has a name") {
  CHECK(status_of("") == json_status::blank);
  CHECK(status_of(" \t\r") == json_status::blank);
  CHECK(status_of("\xEF\xBB\xBF{} \r") == json_status::row);
  CHECK(status_of("{") == json_status::no_object);
  CHECK(status_of("}") == json_status::no_object);
  CHECK(status_of("[{}]") == json_status::no_object);
  CHECK(status_of("{\"a\":1") == json_status::no_object);
  CHECK(status_of("{\"a}") == json_status::open_string);
  CHECK(status_of("{\"a\":\"\\\"}") == json_status::open_string);
  CHECK(status_of("{\"a\":\"\t\"}") == json_status::control_character);
  for (const std::string escape : {"\\x", "\\u12g4", "\\uD800", "\\uDC00", "\\uD800\\u0041", "\\u12"})
    CHECK(status_of("{\"b\":\"" + escape + "\"}") == json_status::bad_escape);
  CHECK(status_of("{a:1}") == json_status::no_name);
  CHECK(status_of("{\"a\":1,}") == json_status::no_name);
  CHECK(status_of("{\"a\" 1}") == json_status::no_colon);
  for (const std::string value : {"", "nul", "True", "-", "1.", ".5", "+1", "1e", "NaN", "[1,]"})
    CHECK(status_of("{\"a\":" + value + "}") == json_status::no_value);
  for (const std::string value : {"01", "1 2", "1x", "nulls", "[1}", "[1,2}]", "-012"})
    CHECK(status_of("{\"a\":" + value + "}") == json_status::no_comma);
  CHECK(status_of("{\"a\":{\"b\":1}") == json_status::open_object);
  CHECK(status_of("{} {}") == json_status::more);
  const auto nested = [](std::size_t lists) {
    return "{\"a\":" + std::string(lists, '[') + std::string(lists, ']') + "}";
  };
  CHECK(status_of(nested(most_json_depth - 1)) == json_status::row);
  CHECK(status_of(nested(most_json_depth)) == json_status::too_deep);
  CHECK(status_of(nested(100'000)) == json_status::too_deep);
}

TEST_CASE("JSON rows: a tree of names has limits") {
  std::vector<std::string> many;
  for (unsigned i = 0; i < most_json_columns; ++i) many.push_back("column" + std::to_string(i));
  CHECK(json_paths_of(many).names[0].count == most_json_columns);
  for (std::string& one : many) one += ".b";
  CHECK_THROWS_AS(json_paths_of(many), usage_error);
  CHECK_THROWS_AS(json_paths_of({std::string(most_json_name_bytes + 1, 'n')}), usage_error);
  CHECK_NOTHROW(json_paths_of({std::string(most_json_levels - 1, '.')}));
  CHECK_THROWS_AS(json_paths_of({std::string(most_json_levels, '.')}), usage_error);
}

}  // namespace duomap::test::apps_tasks_table_json_row_test
