// Tests model files of support vector machines.
#include "numeric/svm/svm_model.hpp"

#include "numeric/svm/svm.hpp"
#include "numeric/tests/common/support.hpp"
#include "numeric/tests/svm/svm_problems.hpp"
#include "tests/catch.hpp"

#include <string>

namespace duomap::test::numeric_svm_svm_test {

TEST_CASE("a model is the same after it was written and read") {
  const points data(90, 5, 6, 3);
  for (const kernel_kind kind : kinds) {
    const svm_model model = svmtrain(data.dense(), data.labels, with(kind)).model;
    const std::string text = to_libsvm(model);
    const svm_model again = svm_model_from_libsvm(text, "model");
    CHECK(to_libsvm(again) == text);
    CHECK(svmclassify(again, data.dense()).values == svmclassify(model, data.dense()).values);
  }
}

TEST_CASE("what is no model is refused with its line") {
  const std::string head =
      "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\n";
  const auto problem = [](const std::string& text) {
    return problem_of([&] { return svm_model_from_libsvm(text, "'m'"); });
  };
  CHECK(problem(head + "SV\n0.5 1:2 3:4\n").empty());
  CHECK(problem(head + "SV\n0.5 3:2 1:4\n") ==
        "5: 'm', line 10: index 1 stands behind index 3; indices must ascend");
  CHECK(problem(head + "SV\nx 1:2\n") == "5: 'm', line 10: the coefficient 'x' is not a number");
  CHECK(problem(head + "SV\n") ==
        "5: 'm': total_sv is 1, and there are 0 support vectors; the file is not whole");
  CHECK(problem(head + "SV\n1 1:1\n2 1:1\n") ==
        "5: 'm': total_sv is 1, and there are 2 support vectors; the file is not whole");
  CHECK(problem(head) == "5: 'm', line 8: the text ends before the line SV");
  CHECK(problem("") == "5: 'm' is empty; a model begins with svm_type");
  CHECK(problem("svm_type epsilon_svr\n") ==
        "5: 'm', line 1: svm_type epsilon_svr; only models of classes (c_svc, nu_svc) can be used");
  CHECK(problem("kernel_type precomputed\n").find("rbf or sigmoid") != std::string::npos);
  const std::string kind = "svm_type c_svc\nkernel_type linear\n";
  CHECK(problem(kind + "nr_class 2\nSV\n").find("numbers of label") != std::string::npos);
  const std::string sizes = "nr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\nSV\n0.5 1:2 3:4\n";
  const auto lacks = [&](const std::string& text, const std::string& key) {
    return problem(text + sizes).find(key + " is missing; fetch or train the model again") !=
           std::string::npos;
  };
  CHECK(lacks("", "svm_type"));
  CHECK(lacks("svm_type c_svc\ngamma 1\n", "kernel_type"));
  CHECK(lacks("svm_type c_svc\nkernel_type rbf\n", "gamma"));
  CHECK(lacks("svm_type c_svc\nkernel_type polynomial\ngamma 1\ncoef0 0\n", "degree"));
  CHECK(lacks("svm_type c_svc\nkernel_type sigmoid\ngamma 1\n", "coef0"));
  CHECK(problem(kind + sizes).empty());
}

}  // namespace duomap::test::numeric_svm_svm_test
