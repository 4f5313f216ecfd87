// Tests core/verify/verify.hpp on tasks that emit items: adding items must agree with combining values.
#include "core/verify/verify.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/item_tasks.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::core_verify_verify_items_test {
namespace {

/// A wrong add(): for a value that is not empty, it adds too much.
struct add_wrongly : add_to_counts {
  DUOMAP_HD void add(counted_items& into, const std::uint32_t& item) const {
    if (into.largest > least) ++into.largest;
    add_to_counts::add(into, item);
  }
};

std::vector<std::string> broken_laws(const std::vector<law_check>& checks) {
  std::vector<std::string> broken;
  for (const law_check& check : checks) {
    if (!check.holds()) broken.push_back(check.law + ": " + check.counterexample);
  }
  return broken;
}

TEST_CASE("verify: items are added as their values are combined") {
  auto random = std::mt19937_64(seed());
  const input text = text_input(random_words(random, 20'000, 300));
  const auto right = verify(items_of_words<byte_view, add_to_counts>{}, text);
  CHECK(broken_laws(right).empty());
  CHECK_THAT(right.front().found, contains("reduce, reduce::add, map"));
  CHECK(right.back().law == "adding items");
  CHECK(right.back().trials > 0);
  CHECK(broken_laws(verify(items_of_words<dense, then_item>{}, text)).empty());
  CHECK(broken_laws(verify(item_slots{}, text_input(random_rows<std::uint32_t>(random, 3000, 1, 0, 3, 1000))))
            .empty());

  const auto broken = broken_laws(verify(items_of_words<byte_view, add_wrongly>{}, text));
  REQUIRE(broken.size() == 1);
  CHECK_THAT(broken.front(), contains("adding items: a = {0x") && contains(": add gives {0x") &&
                                 contains(" but a.(the item's value) = {0x"));
}

}  // namespace
}  // namespace duomap::test::core_verify_verify_items_test
