// Tests the measured figures of a machine: their names, medians and look-ups.
#include "core/machine_figures.hpp"

#include "tests/catch.hpp"

#include <set>
#include <string_view>
#include <vector>

namespace duomap::test::core_machine_figures_test {

TEST_CASE("machine figures: every term has one name of one word, and is found by it", "[machine]") {
  std::set<std::string_view> ids;
  for (const machine_property_info& one : machine_terms()) {
    CAPTURE(one.id);
    CHECK(info(one.term).id == one.id);
    CHECK(parse_machine_term(one.id) == one.term);
    CHECK(one.id.find_first_of(" \n'") == std::string_view::npos);
    CHECK_FALSE(one.title.empty());
    CHECK(ids.insert(one.id).second);
  }
  CHECK_FALSE(parse_machine_term("speed"));
  CHECK_FALSE(parse_machine_term(""));
}

TEST_CASE("machine figures: a few odd samples do not change a figure", "[machine]") {
  const machine_figure one = figure_of(machine_property::copy, 4, {10, 12, 11, 1000, 9});
  CHECK(one.term == machine_property::copy);
  CHECK(one.at == 4);
  CHECK(one.value == 11);
  CHECK(one.deviation == Approx(1.0 / 11));
  CHECK(one.samples == 5);
  CHECK(figure_of(machine_property::copy, 4, {1, 3}).value == 2);
  CHECK(figure_of(machine_property::graph_node, 0, {0, 0}).deviation == 0);
  CHECK_THROWS(figure_of(machine_property::copy, 4, {}));
}

TEST_CASE("machine figures: found by term and place", "[machine]") {
  const std::vector<machine_figure> all = {{machine_property::copy, 1, 5, 0, 1},
                                           {machine_property::copy, 2, 9, 0, 1},
                                           {machine_property::read, 2, 11, 0, 1}};
  REQUIRE(find(all, machine_property::copy, 2) != nullptr);
  CHECK(find(all, machine_property::copy, 2)->value == 9);
  CHECK(find(all, machine_property::copy, 3) == nullptr);
  CHECK(find(all, machine_property::launch) == nullptr);
  CHECK(most(all, machine_property::copy) == 9);
  CHECK(most(all, machine_property::launch) == 0);
}

}  // namespace duomap::test::core_machine_figures_test
