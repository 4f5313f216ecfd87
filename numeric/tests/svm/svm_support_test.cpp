// Tests numeric/svm/svm.hpp: which rows become the support vectors of a trained machine.
#include "numeric/svm/svm.hpp"
#include "numeric/tests/svm/svm_problems.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::test::numeric_svm_svm_test {

TEST_CASE("svm: each support vector is the row that it says, of its class") {
  const points data(300, 8, 4, 4);
  const svm_training trained = svmtrain(data.dense(), data.labels, with(kernel_kind::rbf));
  REQUIRE(trained.support.size() == trained.model.rows.rows());
  const auto& vectors = trained.model.rows;
  std::uint64_t s = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::uint64_t i = 0; i < trained.model.rows_of_class[a]; ++i, ++s) {
      const std::uint32_t row = trained.support[s];
      CHECK(data.labels[row] == trained.model.classes[a]);
      for (std::uint64_t k = vectors.row_start[s]; k < vectors.row_start[s + 1]; ++k)
        CHECK(static_cast<float>(vectors.values[k]) ==
              data.values[row * data.columns + vectors.column_of[k]]);
    }
  }
  CHECK(s == trained.support.size());
}

}  // namespace duomap::test::numeric_svm_svm_test
