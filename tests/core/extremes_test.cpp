// Tests core/reduce.hpp: the order and grouping of values change no minimum or maximum, even with NaN among
// them.
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/text_place.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace duomap::test::core_extremes_test {
namespace {

template <class V>
constexpr V nan = std::numeric_limits<V>::quiet_NaN();

/// Folds the values in every order, from the left, from the right and in two halves. is_right() must accept
/// all results.
template <class R, class IsRight>
void check_all_orders(const std::vector<typename R::value_type>& values, const IsRight& is_right) {
  using value = typename R::value_type;
  const R reduce;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto fold = [&](std::size_t begin, std::size_t end) {
    value all = values[order[begin]];
    for (std::size_t i = begin + 1; i < end; ++i) all = reduce(all, values[order[i]]);
    return all;
  };
  do {
    value backwards = values[order.back()];
    for (std::size_t i = values.size() - 1; i-- > 0;) backwards = reduce(values[order[i]], backwards);
    REQUIRE(is_right(fold(0, values.size())));
    REQUIRE(is_right(backwards));
    REQUIRE(is_right(reduce(fold(0, values.size() / 2), fold(values.size() / 2, values.size()))));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEMPLATE_TEST_CASE("minimum and maximum: NaN gives way to numbers", "", float, double) {
  using V = TestType;
  constexpr V inf = std::numeric_limits<V>::infinity();
  check_all_orders<minimum<V>>({nan<V>, 2, -nan<V>, -1, inf}, [](V all) { return all == -1; });
  check_all_orders<maximum<V>>({nan<V>, 2, -nan<V>, -1, -inf}, [](V all) { return all == 2; });
  check_all_orders<minimum<V>>({nan<V>, inf, nan<V>}, [](V all) { return all == inf; });
  check_all_orders<maximum<V>>({nan<V>, -inf, nan<V>}, [](V all) { return all == -inf; });
  check_all_orders<minimum<V>>({nan<V>, -nan<V>, nan<V>}, [](V all) { return std::isnan(all); });
  check_all_orders<maximum<V>>({nan<V>, -nan<V>, nan<V>}, [](V all) { return std::isnan(all); });
}

TEST_CASE("argmin and argmax: NaN gives way to numbers, and of NaN the smallest index stays") {
  using place = scored<float>;
  const auto has_index = [](std::uint64_t index) {
    return [index](const place& best) {
      return best.index == index;
    };
  };
  const std::vector<place> some = {{nan<float>, 1}, {2, 7}, {-3, 4}, {2, 5}, {nan<float>, 0}, {-3, 6}};
  check_all_orders<argmin<float>>(some, has_index(4));
  check_all_orders<argmax<float>>(some, has_index(5));
  const std::vector<place> none = {{nan<float>, 2}, {-nan<float>, 1}, {nan<float>, 3}};
  check_all_orders<argmin<float>>(none, has_index(1));
  check_all_orders<argmax<float>>(none, has_index(1));
}

TEST_CASE("argmin_text and argmax_text: NaN gives way to numbers, and of NaN the first text stays") {
  using scored = scored_text<double>;
  const auto begins_at = [](std::uint64_t offset) {
    return [offset](const scored& best) {
      return best.text.offset == offset;
    };
  };
  const std::vector<scored> some = {
      {nan<double>, {1, 1, 0}}, {2, {1, 7, 0}}, {-3, {1, 4, 0}}, {2, {1, 5, 0}}, {-3, {1, 6, 0}}};
  check_all_orders<argmin_text<double>>(some, begins_at(4));
  check_all_orders<argmax_text<double>>(some, begins_at(5));
  const std::vector<scored> none = {
      {nan<double>, {1, 2, 0}}, {-nan<double>, {1, 1, 0}}, {nan<double>, {1, 3, 0}}};
  check_all_orders<argmin_text<double>>(none, begins_at(1));
  check_all_orders<argmax_text<double>>(none, begins_at(1));
}

struct extent {
  float least[2];
  double most;
};

TEST_CASE("reduce_fields: NaN of a field gives way to numbers") {
  using extend = reduce_fields<field_by<&extent::least, minimum>, field_by<&extent::most, maximum>>;
  check_all_orders<extend>(
      {{{nan<float>, 4}, 1}, {{3, nan<float>}, nan<double>}, {{5, 6}, 2}},
      [](const extent& all) { return all.least[0] == 3 && all.least[1] == 4 && all.most == 2; });
}

}  // namespace
}  // namespace duomap::test::core_extremes_test
