// Tests character references in attribute values by the rules of the HTML standard.
#include "apps/tasks/invertedindex/character_reference.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_invertedindex_character_reference_test {
namespace {

using apps::decode_value;

void check_decoded(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [value, expected] : cases) {
    INFO(value);
    CHECK(decode_value(byte_view(value)) == expected);
  }
}

TEST_CASE("references: names") {
  check_decoded({{"", ""},
                 {"plain", "plain"},
                 {"?a=1&amp;b=2", "?a=1&b=2"},
                 {"&lt;&gt;&quot;&apos;", "<>\"'"},
                 {"&AMP;&amp;&Amp;", "&&&Amp;"},
                 {"caf&eacute;", "caf\xC3\xA9"},
                 {"&NotEqualTilde;", "\xE2\x89\x82\xCC\xB8"},
                 {"&CounterClockwiseContourIntegral;", "\xE2\x88\xB3"},
                 {"&unknown;", "&unknown;"},
                 {"&", "&"},
                 {"&;", "&;"},
                 {"&&amp;amp;", "&&amp;"}});
}

TEST_CASE("references: names without a semicolon") {
  check_decoded({{"a&amp", "a&"},
                 {"&lt&gt", "<>"},
                 {"&copy 1", "\xC2\xA9 1"},
                 {"?x&copy=1", "?x&copy=1"},
                 {"&copyright", "&copyright"},
                 {"&copy1", "&copy1"},
                 {"&notin", "&notin"},
                 {"&notin;", "\xE2\x88\x89"},
                 {"&notit;", "&notit;"},
                 {"&zwj", "&zwj"}});
}

TEST_CASE("references: numbers") {
  check_decoded({{"&#65;&#x41;&#X6a;", "AAj"},
                 {"&#65b&#x41g", "AbAg"},
                 {"&#233;&#8364;&#x1F600;", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
                 {"&#128;&#x9f;&#129;", "\xE2\x82\xAC\xC5\xB8\xC2\x81"},
                 {"&#0;&#xD800;&#x110000;", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"&#99999999999999999999;", "\xEF\xBF\xBD"},
                 {"&#;&#x;&#xg;&# 1;&#-1;", "&#;&#x;&#xg;&# 1;&#-1;"},
                 {"&#", "&#"},
                 {"&#x", "&#x"}});
}

TEST_CASE("references: the table of names is sorted") {
  const auto& names = apps::detail::reference_names;
  CHECK(std::is_sorted(names.begin(), names.end(),
                       [](const auto& a, const auto& b) { return a.name < b.name; }));
  CHECK(std::count_if(names.begin(), names.end(), [](const auto& one) { return one.without_semicolon; }) ==
        106);
}

}  // namespace
}  // namespace duomap::test::apps_tasks_invertedindex_character_reference_test
