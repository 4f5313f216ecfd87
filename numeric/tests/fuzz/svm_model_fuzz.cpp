// Fuzzes model files of support vector machines: any text is an error, or a model that stays the same when it
// is written and read again.
#include "core/error.hpp"
#include "numeric/svm/svm_model.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  const test::exact_copy copy(data, size);
  svm_model model;
  try {
    model = svm_model_from_libsvm(copy.view(), "the text");
  } catch (const error&) {
    return 0;
  }
  const std::uint64_t rows = model.rows.rows();
  test::require(!model.classes.empty() && model.rho.size() == model.pairs(), "each pair has a rho");
  test::require(model.coefficients.size() == (model.classes.size() - 1) * rows,
                "each support vector has its coefficients");
  test::require(
      std::accumulate(model.rows_of_class.begin(), model.rows_of_class.end(), std::uint64_t{0}) == rows,
      "each support vector is of a class");
  const std::string text = to_libsvm(model);
  test::require(to_libsvm(svm_model_from_libsvm(byte_view(text), "the model")) == text,
                "a model that was written is the same");
  return 0;
}
