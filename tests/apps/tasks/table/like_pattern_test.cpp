// Tests the patterns of LIKE against a recursive definition, in fields, in fields with doubled quotes, and in
// strings of JSON.
#include "apps/tasks/table/like_pattern.hpp"

#include "core/config.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_like_pattern_test {
namespace {

using namespace duomap::apps;
using characters = std::vector<std::string>;

bool matches(const characters& text, const characters& pattern, std::size_t at = 0, std::size_t p = 0) {
  if (p == pattern.size()) return at == text.size();
  if (pattern[p] == "%") {
    for (std::size_t i = at; i <= text.size(); ++i) {
      if (matches(text, pattern, i, p + 1)) return true;
    }
    return false;
  }
  if (at == text.size()) return false;
  return (pattern[p] == "_" || pattern[p] == text[at]) && matches(text, pattern, at + 1, p + 1);
}

std::string joined(const characters& all) {
  std::string text;
  for (const std::string& one : all) text += one;
  return text;
}

characters drawn(std::mt19937_64& random, const characters& from, std::size_t most) {
  characters all;
  for (std::size_t i = random() % (most + 1); i > 0; --i) all.push_back(from[random() % from.size()]);
  return all;
}

std::string with_doubled_quotes(const characters& all) {
  std::string text;
  for (const std::string& one : all) text += one == "\"" ? "\"\"" : one;
  return text;
}

std::string with_escapes(std::mt19937_64& random, const characters& all) {
  std::string text;
  for (const std::string& one : all) {
    const bool escaped = random() % 2 == 0;
    if (one == "\"")
      text += "\\\"";
    else if (escaped && one == "a")
      text += "\\u0061";
    else if (escaped && one == "%")
      text += "\\u0025";
    else if (escaped && one == "\xc3\xa9")
      text += "\\u00e9";
    else if (escaped && one == "\xf0\x9f\x98\x80")
      text += "\\ud83d\\ude00";
    else
      text += one;
  }
  return text;
}

}  // namespace

TEST_CASE("patterns of LIKE match as their definition says") {
  auto random = std::mt19937_64(seed());
  const characters letters = {"a", "b", "\"", "%", "_", "\xc3\xa9", "\xf0\x9f\x98\x80"};
  unsigned wrong = 0, matched = 0;
  for (unsigned i = 0; i < (torture ? 5'000U : 100'000U); ++i) {
    const characters text = drawn(random, letters, 7);
    characters pattern = random() % 3 == 0 ? text : drawn(random, letters, 6);
    for (std::string& one : pattern) {
      if (random() % 3 == 0) one = random() % 2 == 0 ? "%" : "_";
    }
    const bool right = matches(text, pattern);
    matched += right;
    const std::string of_pattern = joined(pattern), plain = joined(text);
    const std::string doubled = with_doubled_quotes(text), escaped = with_escapes(random, text);
    const byte_view view(of_pattern);
    const bool good = is_like(field_units{byte_view(plain)}, view) == right &&
                      is_like(field_units{byte_view(doubled), '"'}, view) == right &&
                      is_like(json_units{byte_view(escaped)}, view) == right;
    if (!good) UNSCOPED_INFO(plain << " like " << of_pattern << ", escaped " << escaped);
    wrong += !good;
  }
  CHECK(wrong == 0);
  CHECK(matched > (torture ? 500U : 10'000U));
}

TEST_CASE("patterns of LIKE over bytes that are no UTF-8 read nothing beside them") {
  const std::string text = "\xa9\xff\xc3";
  for (const std::string pattern : {"_", "__", "___", "%_", "%\xc3", "\xa9%"}) {
    const std::string copy(text.begin(), text.end());
    static_cast<void>(is_like(field_units{byte_view(copy)}, byte_view(pattern)));
  }
  CHECK(is_like(field_units{byte_view(text)}, byte_view(std::string_view("%\xff%"))));
  CHECK(is_like(field_units{byte_view(text), '\0', '\xff'}, byte_view(std::string_view("%\n_"))));
}

}  // namespace duomap::test::apps_tasks_table_like_pattern_test
