// Tests support vector machines: the optimum's conditions, kernels, model files, classes and errors.
#include "numeric/svm/svm.hpp"

#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/svm/blocked_training.hpp"
#include "numeric/svm/kernel_cache.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm_devices.hpp"
#include "numeric/tests/common/support.hpp"
#include "numeric/tests/svm/svm_problems.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_svm_svm_test {
TEST_CASE("a trained machine meets the conditions of the optimum for every kernel and method") {
  const points data(150, 7, 1);
  for (const kernel_kind kind : kinds) {
    for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
      CAPTURE(static_cast<int>(kind), static_cast<int>(method));
      const svm_training trained = svmtrain(data.dense(), data.labels, with(kind, method));
      REQUIRE(trained.pairs.size() == 1);
      CHECK(trained.pairs[0].converged);
      CHECK(trained.pairs[0].gap < 1e-3);
      double sum = 0;
      for (const double coefficient : trained.model.coefficients) {
        sum += coefficient;
        CHECK(std::abs(coefficient) <= 2);
      }
      CHECK(std::abs(sum) < 1e-9);
      // y f of rows is at least 1 without a support vector, and exactly 1 for multipliers between 0 and C.
      const svm_answer answer = svmclassify(trained.model, data.dense());
      std::uint64_t right = 0;
      for (std::size_t i = 0; i < data.labels.size(); ++i) {
        const double side = data.labels[i] == trained.model.classes[0] ? 1 : -1;
        CHECK(answer.values[i] == Approx(decision(trained.model, data, i)).margin(1e-4));
        if (side * answer.values[i] > 1 - 2e-3) ++right;
      }
      CHECK(right >= data.labels.size() - trained.pairs[0].bounded);
    }
  }
}

TEST_CASE("all methods and layouts of the rows reach the same objective") {
  const points data(700, 9, 2);
  const sparse_matrix<float> sparse = without_zeros(data);
  for (const kernel_kind kind : {kernel_kind::rbf, kernel_kind::polynomial}) {
    const double expected =
        svmtrain(data.dense(), data.labels, with(kind, svm_method::second_order)).pairs[0].objective;
    CHECK(expected < -1);
    CHECK(svmtrain(data.dense(), data.labels, with(kind)).pairs[0].objective ==
          Approx(expected).epsilon(1e-4));
    CHECK(svmtrain(rows_of(sparse), data.labels, with(kind)).pairs[0].objective ==
          Approx(expected).epsilon(1e-4));
    CHECK(svmtrain(data.dense(), data.labels, with(kind, svm_method::first_order)).pairs[0].objective ==
          Approx(expected).epsilon(1e-4));
  }
}

TEST_CASE("rows of many columns and few numbers are trained and classified as their dense copies are") {
  // More rows than a working set or a panel has.
  const std::uint64_t rows = 700, columns = 1000;
  std::mt19937 random(3);
  sparse_matrix<float> sparse;
  sparse.columns = columns;
  matrix<float> dense(rows, columns);
  std::vector<double> labels;
  for (std::uint64_t row = 0; row < rows; ++row) {
    labels.push_back(row % 3 == 0 ? 1 : -1);
    std::vector<std::uint32_t> used;
    for (int k = 0; k < 8; ++k)
      used.push_back(static_cast<std::uint32_t>(random() % (row % 3 == 0 ? columns : columns / 2)));
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::uint32_t column : used) {
      const float value = static_cast<float>(random() % 8) / 8 + 0.125f;
      sparse.column_of.push_back(column);
      sparse.values.push_back(value);
      dense.row(row)[column] = value;
    }
    sparse.row_start.push_back(sparse.values.size());
  }
  const svm_options options = with(kernel_kind::rbf);
  const svm_training a = svmtrain(rows_of(sparse), labels, options);
  const svm_training b = svmtrain(rows_of(dense.view()), labels, options);
  CHECK(a.pairs[0].objective == Approx(b.pairs[0].objective).epsilon(1e-4));
  const svm_answer of_sparse = svmclassify(a.model, rows_of(sparse));
  const svm_answer of_dense = svmclassify(a.model, rows_of(dense.view()));
  for (std::size_t i = 0; i < rows; ++i)
    CHECK(of_sparse.values[i] == Approx(of_dense.values[i]).margin(1e-5));
}

TEST_CASE("a large index takes no memory for the columns before it") {
  constexpr std::uint32_t far = std::numeric_limits<std::int32_t>::max() - 1;
  sparse_matrix<float> narrow = without_zeros(points(70, 6, 4));
  narrow.columns = 7;  // rows have numbers in columns 0 to 4 and 6; points also in column 5
  for (std::uint32_t& column : narrow.column_of) column += column == 5 ? 1 : 0;
  sparse_matrix<float> wide = narrow;
  wide.columns = std::uint64_t{far} + 1;
  for (std::uint32_t& column : wide.column_of) column = column == 6 ? far : column;
  const auto products = [](const sparse_matrix<float>& rows, std::uint32_t last) {
    sparse_matrix<float> points;
    points.columns = rows.columns;
    points.row_start = {0, 3};
    points.column_of = {1, 5, last};
    points.values = {0.5f, 2, 1};
    kernel_rows<float> all(rows_of(rows), {.kind = kernel_kind::rbf, .gamma = 0.5});
    panel_scratch<float> scratch;
    std::vector<float> values(all.panels() * all.panel_rows());
    for (std::uint64_t panel = 0; panel < all.panels(); ++panel)
      all.compute(rows_of(points), squared_norms(rows_of(points)), panel, scratch,
                  values.data() + panel * all.panel_rows());
    CHECK(scratch.slot_of.size() <= 7);
    values.resize(rows.rows());
    return values;
  };
  CHECK(products(wide, far) == products(narrow, 6));
}

TEST_CASE("rows that come in parts are classified as they are at once") {
  const points data(230, 8, 13, 3);
  const svm_model model = svmtrain(data.dense(), data.labels, with(kernel_kind::rbf)).model;
  const svm_answer expected = svmclassify(model, data.dense());
  svm_classifier classifier(model);
  // Classifies dense rows, sparse rows, rows with a column that no support vector has, and dense rows again.
  for (const std::uint64_t extra : {0u, 1u, 50u, 0u}) {
    CAPTURE(extra);
    points wide = data;
    wide.columns += extra;
    wide.values.assign(230 * wide.columns, 0.0f);
    for (std::size_t i = 0; i < 230; ++i)
      std::copy_n(data.values.begin() + static_cast<std::ptrdiff_t>(i * 8), 8,
                  wide.values.begin() + static_cast<std::ptrdiff_t>(i * wide.columns));
    const sparse_matrix<float> sparse = without_zeros(wide);
    const svm_rows rows = extra == 0 ? data.dense() : rows_of(sparse);
    svm_answer found;
    for (std::uint64_t first = 0; first < 230; first += 100) {
      const svm_answer part =
          classifier.classify(slice(rows, first, std::min<std::uint64_t>(100, 230 - first)));
      found.labels.insert(found.labels.end(), part.labels.begin(), part.labels.end());
      found.values.insert(found.values.end(), part.values.begin(), part.values.end());
    }
    CHECK(found.labels == expected.labels);
    REQUIRE(found.values.size() == expected.values.size());
    for (std::size_t i = 0; i < found.values.size(); ++i)
      CHECK(found.values[i] == Approx(expected.values[i]).margin(1e-5));
  }
}

TEST_CASE("several classes are trained one against one and vote") {
  const points data(300, 8, 4, 4);
  svm_options options = with(kernel_kind::rbf);
  options.c = 10;
  const svm_training trained = svmtrain(data.dense(), data.labels, options);
  CHECK(trained.model.classes == std::vector<double>{-1.5, 1.5, 4.5, 7.5});
  CHECK(trained.pairs.size() == 6);
  CHECK(trained.model.rows_of_class.size() == 4);
  CHECK(trained.model.coefficients.size() == 3 * trained.model.rows.rows());
  const svm_answer answer = svmclassify(trained.model, data.dense());
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) right += answer.labels[i] == data.labels[i] ? 1u : 0u;
  CHECK(right > 270);
  // Training with the first and the last class alone gives the same pair as training with all classes.
  std::vector<float> values;
  std::vector<double> labels;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    if (i % 4 != 0 && i % 4 != 3) continue;
    labels.push_back(data.labels[i]);
    values.insert(values.end(), data.values.begin() + static_cast<std::ptrdiff_t>(i * 8),
                  data.values.begin() + static_cast<std::ptrdiff_t>(i * 8 + 8));
  }
  const svm_training two = svmtrain(rows_of(matrix_view<float>(values, 8)), labels, options);
  CHECK(two.pairs[0].objective == Approx(trained.pairs[2].objective).epsilon(1e-6));
  CHECK(two.pairs[0].rho == Approx(trained.pairs[2].rho).margin(1e-3));
}

TEST_CASE("a class's weight bounds its multipliers") {
  const points data(200, 4, 5);
  svm_options options = with(kernel_kind::rbf);
  options.weights = {{1.5, 0.25}};
  const svm_training trained = svmtrain(data.dense(), data.labels, options);
  const auto [least, most] = std::ranges::minmax(trained.model.coefficients);
  CHECK(most == 2);
  CHECK(least == -0.5);
}

TEST_CASE("problems at the edge are solved") {
  const std::vector<float> one{1, 2};
  SECTION("one row, and so one class") {
    const svm_training trained = svmtrain(rows_of(matrix_view<float>(one, 2)), std::array{7.0});
    CHECK(trained.pairs.empty());
    CHECK(trained.model.rows.rows() == 0);
    CHECK(svmclassify(trained.model, rows_of(matrix_view<float>(one, 2))).labels == std::vector<double>{7});
    CHECK(to_libsvm(svm_model_from_libsvm(to_libsvm(trained.model), "m")) == to_libsvm(trained.model));
  }
  SECTION("all rows equal") {
    const std::vector<float> equal(20, 3.0f);
    std::vector<double> labels(10, 1);
    for (std::size_t i = 0; i < 4; ++i) labels[i] = -1;
    for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
      const svm_training trained =
          svmtrain(rows_of(matrix_view<float>(equal, 2)), labels, {.method = method});
      CHECK(trained.pairs[0].converged);
      CHECK(trained.pairs[0].objective == Approx(-8));
    }
  }
  SECTION("C tiny and huge") {
    const points data(120, 6, 7);
    const svm_training tiny = svmtrain(data.dense(), data.labels, {.gamma = 0.2, .c = 1e-9});
    CHECK(tiny.pairs[0].bounded == 120);
    const svm_training huge = svmtrain(data.dense(), data.labels, {.gamma = 2, .c = 1e12});
    CHECK(huge.pairs[0].converged);
    CHECK(huge.pairs[0].bounded == 0);
  }
  SECTION("no columns") {
    const svm_rows rows{.rows = 4, .columns = 0};
    CHECK(svmtrain(rows, std::array{1.0, -1.0, 1.0, -1.0}).pairs[0].objective == Approx(-4));
  }
  SECTION("rows far from the origin") {
    points data(200, 6, 8);
    const double near = svmtrain(data.dense(), data.labels, with(kernel_kind::rbf)).pairs[0].objective;
    for (float& value : data.values) value = std::round(value * 64) / 64 + 4096;
    CHECK(svmtrain(data.dense(), data.labels, with(kernel_kind::rbf)).pairs[0].objective ==
          Approx(near).epsilon(0.02));
  }
}

TEST_CASE("a cap of iterations is told of with the gap that is left") {
  const points data(300, 6, 9);
  for (const svm_method method : {svm_method::blocked, svm_method::first_order}) {
    run_report report;
    svm_options options = with(kernel_kind::rbf, method);
    options.max_iterations = 10;
    options.run.report = &report;
    const svm_training trained = svmtrain(data.dense(), data.labels, options);
    CHECK_FALSE(trained.pairs[0].converged);
    CHECK(trained.pairs[0].iterations == 10);
    CHECK(trained.pairs[0].gap > 1e-3);
    REQUIRE(report.notes.size() == 1);
    CHECK(report.notes[0].find("stopped after 10 iterations, with a gap of ") != std::string::npos);
  }
}

TEST_CASE("a small cache changes nothing but the time") {
  const points data(600, 60, 10);
  svm_options options = with(kernel_kind::rbf);
  options.gamma = 0.02;
  const double expected = svmtrain(data.dense(), data.labels, options).pairs[0].objective;
  for (const std::uint64_t rows : {1u, 7u, 100u}) {
    options.cache_bytes = rows * 600 * sizeof(float);
    CHECK(svmtrain(data.dense(), data.labels, options).pairs[0].objective == Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("rows of a cache stay by their last use and those of a round stay in it") {
  kernel_cache<float> cache(10, 4, 3 * 4 * sizeof(float));
  cache.begin_round();
  for (const std::uint32_t row : {0u, 1u, 2u}) {
    CHECK(cache.find(row) == nullptr);
    float* const values = cache.make_room(row);
    REQUIRE(values != nullptr);
    std::fill_n(values, 4, static_cast<float>(row));
  }
  CHECK(cache.make_room(3) == nullptr);
  cache.begin_round();
  REQUIRE(cache.find(0) != nullptr);
  CHECK(cache.find(0)[3] == 0);
  REQUIRE(cache.make_room(3) != nullptr);
  CHECK(cache.find(1) == nullptr);
  REQUIRE(cache.find(2) != nullptr);
  CHECK(cache.find(2)[0] == 2);
  CHECK(cache.make_room(4) == nullptr);
  kernel_cache<float> none(10, 4, 15);
  CHECK(none.make_room(1) == nullptr);
}

TEST_CASE("a trainer on the CPU gives up when it is told to and another goes on from there") {
  const points data(300, 6, 11);
  std::vector<std::int8_t> sides;
  for (const double label : data.labels) sides.push_back(label > 0 ? 1 : -1);
  sequential pool;
  for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    CAPTURE(static_cast<int>(method));
    svm_problem problem{.rows = data.dense(), .labels = sides, .kernel = {.gamma = 0.2}, .method = method};
    const svm_solution whole = train_on(problem, pool);
    CHECK(whole.converged);
    CHECK_FALSE(whole.given_up);
    std::uint64_t asked = 0;
    problem.give_up = [&] {
      return ++asked > whole.rounds / 2;
    };
    const svm_solution part = train_on(problem, pool);
    CHECK(part.given_up);
    CHECK_FALSE(part.converged);
    CHECK(part.rounds == whole.rounds / 2);
    problem.give_up = {};
    problem.start = part.alpha;
    const svm_solution rest = train_on(problem, pool);
    CHECK(rest.converged);
    CHECK(rest.objective == Approx(whole.objective).epsilon(1e-3));
    CHECK(part.objective > rest.objective);
    CHECK(rest.rounds < whole.rounds);
  }
}

TEST_CASE("auto leaves small problems to the CPU and looks for a GPU for long ones") {
  svm_devices small({.device = device_choice::automatic}, 1e-3, 2, nullptr);
  CHECK(small.cpu_begins());
  CHECK_FALSE(small.gpu_takes_over());
  CHECK(small.report().notes.empty());
  svm_devices never({.device = device_choice::cpu}, 1e9, 2, nullptr);
  CHECK_FALSE(never.gpu_takes_over());
  CHECK(never.report().notes.empty());
  svm_devices large({.device = device_choice::automatic}, 1e9, 2, nullptr);
  CHECK(large.cpu_begins());
  bool goes_on = false;
  while (!goes_on && large.report().notes.empty()) goes_on = large.gpu_takes_over();
  REQUIRE(large.report().notes.size() == 1);
  CHECK(large.report().notes[0].find(goes_on ? "GPU " : "no GPU used: ") == 0);
  std::string note;
  const std::vector<int> gpus = gpus_for_classification({.device = device_choice::automatic}, 1e9, note);
  CHECK(gpus.empty() == !note.empty());
  CHECK(gpus_for_classification({.device = device_choice::automatic}, 1e-6, note).empty());
  CHECK(note.find("no GPU used: ") == 0);
}

TEST_CASE("training and classification can be interrupted") {
  const points data(300, 6, 12);
  const svm_model model = svmtrain(data.dense(), data.labels).model;
  run_control control;
  control.cancelled = true;
  for (const svm_method method : {svm_method::blocked, svm_method::second_order}) {
    svm_options options{.method = method};
    options.run.control = &control;
    CHECK_THROWS_AS(svmtrain(data.dense(), data.labels, options), interrupted);
  }
  CHECK_THROWS_AS(svmclassify(model, data.dense(), {.control = &control}), interrupted);
}

TEST_CASE("rows with NaN or infinity are refused by name, dense and sparse ones") {
  const std::vector<float> values{0, 1, 8, 9};
  const svm_model model = svmtrain(rows_of(matrix_view<float>(values, 2)), std::vector<double>{0, 1}).model;
  std::vector<float> rows{0, 1, 2, 3, 4, std::numeric_limits<float>::infinity()};
  const auto problem = [&](const svm_rows& some) {
    return problem_of([&] { return svmclassify(model, some); });
  };
  const std::string expected =
      "5: rows, row 2 (the first is 0), column 2: the value is infinite, or too large for float32; correct "
      "it or "
      "leave the row out";
  const svm_rows dense = rows_of(matrix_view<float>(rows, 2));
  CHECK(problem(dense) == expected);
  CHECK(problem(rows_of(sparse_of(dense))) == expected);
}

TEST_CASE("what cannot be trained is refused") {
  const std::vector<float> values{1, 2, std::numeric_limits<float>::quiet_NaN(), 4};
  const svm_rows good = rows_of(matrix_view<float>(values.data(), 1, 2));
  const auto problem = [](const svm_rows& rows, std::vector<double> labels, const svm_options& options = {}) {
    return problem_of([&] { return svmtrain(rows, labels, options); });
  };
  CHECK(problem({}, {}) == "5: there are no rows to train with");
  const std::vector<float> large{1e15f, 1, 2, 1e15f};
  CHECK(problem(rows_of(matrix_view<float>(large, 2)), {1, -1}, {.kernel = kernel_kind::polynomial})
            .find("5: kernel values are larger than float32 numbers") == 0);
  for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    const std::vector<float> opposite{1e20f, -1e20f};
    CHECK(problem(rows_of(matrix_view<float>(opposite, 1)), {1, -1},
                  {.kernel = kernel_kind::linear, .method = method})
              .find("5: kernel values are larger than float32 numbers") == 0);
  }
  CHECK(problem(good, {1, 2}) == "2: there are 1 rows and 2 labels; each row needs one");
  CHECK(problem(rows_of(matrix_view<float>(values, 2)), {1, -1}) ==
        "5: rows, row 1 (the first is 0), column 1: the value is NaN; correct it or leave the row out");
  CHECK(problem(good, {std::nan("")}) == "5: row 0 has a label that is not finite");
  CHECK(problem(good, {1}, {.c = 0}) == "2: C is 0; it has to be above 0 and finite");
  CHECK(problem(good, {1}, {.gamma = -1}) == "2: gamma is -1; it has to be 0 or above, and finite");
  CHECK(problem(good, {1}, {.tolerance = 0}) == "2: tolerance is 0; it has to be above 0 and finite");
}

}  // namespace duomap::test::numeric_svm_svm_test
