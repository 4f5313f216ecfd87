// Tests numeric/knn/knn.hpp with doubles: digits that floats lack, and distances whose squares doubles cannot
// hold.
#include "numeric/knn/knn.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace duomap::test::numeric_knn_knn_extremes_test {

TEST_CASE("neighbours that floats could not tell apart are those of doubles") {
  // Near 10^9, floats are multiples of 64.
  const std::vector<double> rows{1e9 + 3, 1e9 + 1, 1e9, 1e9 + 2};
  const std::vector<double> query{1e9 - 1};
  const knn_result found = knn(rows, query, 1, {.k = 3});
  CHECK(found.neighbours == std::vector<neighbour>{{1, 2}, {2, 1}, {3, 3}});
  const std::vector<double> far{1e200, -1e200, 0};
  CHECK(knn(far, query, 1, {.k = 3}).neighbours[0] == neighbour{1e9 - 1, 2});
  CHECK(knn(far, query, 1, {.k = 3}).neighbours[1] == neighbour{1e200, 0});
}

TEST_CASE("neighbours whose squared distances are too small or too large for doubles keep their order") {
  const double tiny = 0x1p-660;
  const std::vector<double> near{4 * tiny, tiny, 3.5 * tiny, 1.5}, query{2 * tiny, 1.5};
  CHECK(knn(near, query, 1, {.k = 2}).neighbours ==
        std::vector<neighbour>{{tiny, 1}, {1.5 * tiny, 2}, {0, 3}, {1.5, 0}});
  // Without scaling, all squared distances are 0, and the first row would be nearest.
  const std::vector<double> one{0};
  CHECK(knn(near, one, 1, {.k = 1}).neighbours == std::vector<neighbour>{{tiny, 1}});
  const std::vector<double> apart{1e300, 0, 1e-300}, far{1e300, 0};
  CHECK_THROWS_WITH(knn(apart, far, 1, {.k = 3}), contains("so far away and others so close together"));
}

}  // namespace duomap::test::numeric_knn_knn_extremes_test
