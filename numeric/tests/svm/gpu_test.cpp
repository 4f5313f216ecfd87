// Tests numeric/svm on GPUs: training and decision values against those of the CPU.
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/svm/blocked_training.hpp"
#include "numeric/svm/device_row_form.hpp"
#include "numeric/svm/gpu_decisions.hpp"
#include "numeric/svm/gpu_training.hpp"
#include "numeric/svm/svm.hpp"
#include "numeric/svm/svm_problem.hpp"
#include "numeric/tests/svm/gpu_problems.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace duomap::test::numeric_svm_gpu_test {
namespace {

#if DUOMAP_HAS_CUDA

TEST_CASE("svm: a GPU finds the optimum of the CPU", "[gpu][svm]") {
  if (no_gpu()) return;
  const std::uint32_t at = seed();
  INFO("seed " << at);
  std::mt19937 random(at);
  const auto pool = two_workers();
  struct setting {
    std::uint64_t rows, columns;
    unsigned one_of;
    float shift;
    svm_kernel kernel;
    double c;
  };
  const std::vector<setting> settings = {
      {2, 1, 1, 0, {.kind = kernel_kind::rbf, .gamma = 1}, 1},
      {33, 5, 1, 0, {.kind = kernel_kind::linear}, 0.1},
      {700, 20, 1, 0, {.kind = kernel_kind::rbf, .gamma = 0.05}, 10},
      {500, 30, 4, 0, {.kind = kernel_kind::polynomial, .gamma = 0.1, .coef0 = 1, .degree = 3}, 0.1},
      {600, 3000, 100, 0, {.kind = kernel_kind::rbf, .gamma = 0.03}, 1},
      {300, 16, 1, 300, {.kind = kernel_kind::rbf, .gamma = 0.06}, 1},
  };
  for (const setting& one : settings) {
    const synthetic data(one.rows, one.columns, one.one_of, one.shift, random);
    for (const bool sparse : {false, true}) {
      svm_problem problem{.rows = data.view(sparse),
                          .labels = data.labels,
                          .kernel = one.kernel,
                          .positive_c = one.c,
                          .negative_c = 2 * one.c};
      const svm_solution expected = train_blocked(problem, *pool);
      for (const auto method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
        problem.method = method;
        INFO(one.rows << " rows of " << one.columns << (sparse ? ", sparse" : ", dense") << ", method "
                      << static_cast<int>(method));
        require_same_optimum(problem, train_on_gpu(problem, 0), expected);
      }
    }
  }
}

TEST_CASE("svm: a GPU trains a small problem by pairs", "[gpu][svm][sanitize]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const synthetic data(150, 7, 1, 0, random);
  svm_problem problem{.rows = data.view(false), .labels = data.labels, .kernel = {.gamma = 0.2}};
  problem.method = svm_method::first_order;
  const svm_solution first = train_on_gpu(problem, 0);
  problem.method = svm_method::second_order;
  require_same_optimum(problem, train_on_gpu(problem, 0), first);
}

TEST_CASE("svm: a GPU trains a small problem by working sets", "[gpu][svm][memcheck]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const synthetic data(150, 7, 1, 0, random);
  const svm_problem problem{.rows = data.view(false), .labels = data.labels, .kernel = {.gamma = 0.2}};
  const svm_solution first = train_on_gpu(problem, 0);
  CHECK(first.converged);
  // Training again gives the same bits, so no result depends on the order of threads.
  CHECK(train_on_gpu(problem, 0).alpha == first.alpha);
}

TEST_CASE("svm: a GPU trains rows that are all equal", "[gpu][svm]") {
  if (no_gpu()) return;
  const std::vector<float> ones(50 * 3, 1.0f);
  std::vector<std::int8_t> labels(50, 1);
  for (std::size_t i = 0; i < labels.size(); i += 2) labels[i] = -1;
  svm_problem problem{
      .rows = {.rows = 50, .columns = 3, .dense = ones}, .labels = labels, .kernel = {.gamma = 1}};
  for (const auto method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    problem.method = method;
    const svm_solution found = train_on_gpu(problem, 0);
    CHECK(found.converged);
    CHECK(found.objective == Approx(-50));  // all multipliers are at their bound C
  }
}

TEST_CASE("svm: a GPU trains as a smaller one would", "[gpu][svm]") {
  if (no_gpu()) return;
  const std::uint32_t at = seed();
  INFO("seed " << at);
  std::mt19937 random(at);
  const auto pool = two_workers();
  const synthetic data(1500, 10, 2, 0, random);
  svm_problem problem{.rows = data.view(false), .labels = data.labels, .kernel = {.gamma = 0.2}};
  problem.positive_c = problem.negative_c = 10;
  const svm_solution expected = train_blocked(problem, *pool);
  for (const unsigned multiprocessors : {1u, 3u, 40u}) {
    INFO(multiprocessors << " multiprocessors");
    require_same_optimum(
        problem, train_on_gpu(problem, 0, {.multiprocessors = multiprocessors, .shared_bytes = 64 << 10}),
        expected);
  }
  for (const bool sparse : {false, true}) {
    problem.rows = data.view(sparse);
    for (const std::uint64_t slots : {400u, 1100u}) {
      INFO(slots << " rows of the kernel matrix, " << (sparse ? "sparse" : "dense"));
      require_same_optimum(
          problem, train_on_gpu(problem, 0, {.memory_bytes = memory_for(problem.rows, slots)}), expected);
    }
  }
  CHECK_THROWS_AS(train_on_gpu(problem, 0, {.memory_bytes = slots_of(problem.rows, 384)}), out_of_memory);
  problem.method = svm_method::second_order;
  CHECK_THROWS_AS(train_on_gpu(problem, 0, {.memory_bytes = slots_of(problem.rows, 1500)}), out_of_memory);
}

TEST_CASE("svm: a small set of kernel rows on a GPU is replaced as it is used", "[gpu][svm][memcheck]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const synthetic data(500, 6, 1, 0, random);
  svm_problem problem{.rows = data.view(false), .labels = data.labels, .kernel = {.gamma = 0.2}};
  const svm_solution whole = train_on_gpu(problem, 0);
  require_same_optimum(
      problem,
      train_on_gpu(problem, 0, {.multiprocessors = 3, .memory_bytes = memory_for(problem.rows, 390)}), whole);
}

struct streamed_setting {
  std::uint64_t rows, columns;
  unsigned one_of;
  float shift;
  svm_kernel kernel;
};

TEST_CASE("svm: rows that a GPU has no room for come to it in panels", "[gpu][svm][memcheck]") {
  if (no_gpu()) return;
  const std::uint32_t at = seed();
  INFO("seed " << at);
  std::mt19937 random(at);
  const std::vector<streamed_setting> settings = {
      {700, 20, 1, 0, {.kind = kernel_kind::rbf, .gamma = 0.05}},
      {500, 30, 4, 0, {.kind = kernel_kind::linear}},
      {500, 30, 4, 0, {.kind = kernel_kind::polynomial, .gamma = 0.1, .coef0 = 1, .degree = 2}},
      {450, 20, 2, 0, {.kind = kernel_kind::sigmoid, .gamma = 0.01, .coef0 = 0}},
      {600, 3000, 100, 0, {.kind = kernel_kind::rbf, .gamma = 0.03}},
      {450, 16, 1, 300, {.kind = kernel_kind::rbf, .gamma = 0.06}},
      // A problem whose kernel matrix fits into the memory although its rows do not.
      {300, 40, 1, 0, {.kind = kernel_kind::rbf, .gamma = 0.05}},
  };
  for (const streamed_setting& one : settings) {
    const synthetic data(one.rows, one.columns, one.one_of, one.shift, random);
    for (const bool sparse : {false, true}) {
      const svm_problem problem{.rows = data.view(sparse), .labels = data.labels, .kernel = one.kernel};
      const std::uint64_t memory =
          memory_to_stream(problem.rows, slots_of(problem.rows, std::min<std::uint64_t>(384, one.rows)),
                           one.columns > 100 && !sparse ? 1 << 20 : 12 << 10);
      INFO(one.rows << " rows of " << one.columns << (sparse ? ", sparse" : ", dense") << ", kernel "
                    << static_cast<int>(one.kernel.kind));
      const svm_solution whole = train_on_gpu(problem, 0);
      CHECK(whole.passes == 0);
      const svm_solution streamed = train_on_gpu(problem, 0, {.memory_bytes = memory});
      CHECK(streamed.passes > 0);
      require_same_optimum(problem, streamed, whole);
      CHECK_THROWS_WITH(train_on_gpu(problem, 0, {.memory_bytes = memory, .stream_seconds = 1e-9}),
                        contains("bring them there"));
    }
  }
}

TEST_CASE("svm: support vectors that a GPU has no room for give the same sums", "[gpu][svm][memcheck]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  std::normal_distribution<double> normal;
  for (const std::uint64_t columns : {std::uint64_t{24}, std::uint64_t{2500}}) {
    const synthetic data(300, columns, columns > 100 ? 80 : 2, 0, random);
    const std::vector<std::uint64_t> starts = {0, 70, 300};
    std::vector<double> weights(data.rows);
    for (double& weight : weights) weight = normal(random);
    for (const bool sparse : {false, true}) {
      const svm_rows rows = data.view(sparse);
      const auto sums_in = [&](std::uint64_t memory, bool streams) {
        gpu_decisions decide(rows, {.gamma = 0.05}, starts, weights, 1, 0, memory);
        CHECK(decide.streams() == streams);
        std::vector<double> sums(data.rows * 2);
        decide.compute(rows, sums.data());
        return sums;
      };
      const bool dense = !gpu::device_row_form::of(rows).sparse;
      const std::uint64_t of_rows = 64 * (slots_of(rows, 1) + (dense ? 12 * columns : 0));
      INFO(columns << (sparse ? " columns, sparse" : " columns, dense"));
      CHECK(sums_in(memory_to_stream(rows, of_rows,
                                     columns < 100 ? 8 << 10
                                     : sparse      ? 16 << 10
                                                   : 512 << 10),
                    true) == sums_in(0, false));
    }
  }
}

TEST_CASE("svm: a GPU goes on from what the CPU has reached", "[gpu][svm]") {
  if (no_gpu()) return;
  const std::uint32_t at = seed();
  INFO("seed " << at);
  std::mt19937 random(at);
  const auto pool = two_workers();
  const synthetic data(900, 8, 1, 0, random);
  svm_problem problem{.rows = data.view(false), .labels = data.labels, .kernel = {.gamma = 0.3}};
  problem.positive_c = problem.negative_c = 20;
  const svm_solution whole = train_blocked(problem, *pool);
  std::uint64_t asked = 0;
  problem.give_up = [&] {
    return ++asked > whole.rounds / 2;
  };
  const svm_solution part = train_blocked(problem, *pool);
  problem.start = part.alpha;
  for (const auto method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    problem.method = method;
    require_same_optimum(problem, train_on_gpu(problem, 0), whole);
  }
  // Kernel values of CPU and GPU differ in their last bits. So the GPU gets a wider tolerance than the CPU
  // has reached.
  problem.give_up = {};
  problem.start = whole.alpha;
  problem.tolerance *= 10;
  CHECK(train_on_gpu(problem, 0).iterations == 0);
}

TEST_CASE("svm: training on a GPU stops at the cap and when it is cancelled", "[gpu][svm]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const synthetic data(400, 10, 1, 0, random);
  svm_problem problem{.rows = data.view(false),
                      .labels = data.labels,
                      .kernel = {.gamma = 0.5},
                      .max_iterations = 20,
                      .method = svm_method::first_order};
  const svm_solution capped = train_on_gpu(problem, 0);
  CHECK_FALSE(capped.converged);
  CHECK(capped.iterations == 20);
  CHECK(capped.gap > problem.tolerance);
  run_control control;
  control.cancelled = true;
  problem.control = &control;
  CHECK_THROWS_AS(train_on_gpu(problem, 0), interrupted);
}

TEST_CASE("svm: training on a GPU ends when kernel values are no numbers", "[gpu][svm]") {
  if (no_gpu()) return;
  std::vector<float> huge(200);
  std::vector<std::int8_t> labels(100);
  for (std::size_t i = 0; i < huge.size(); ++i) huge[i] = i % 3 == 0 ? -1e30f : 1e30f;
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i % 2 == 0 ? std::int8_t{1} : std::int8_t{-1};
  svm_problem problem{.rows = {.rows = 100, .columns = 2, .dense = huge},
                      .labels = labels,
                      .kernel = {.kind = kernel_kind::linear}};
  for (const auto method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    problem.method = method;
    const svm_solution found = train_on_gpu(problem, 0);
    CHECK_FALSE((found.converged && std::isfinite(found.objective)));
  }
}

TEST_CASE("svm: a GPU's weighted sums are those of the CPU", "[gpu][svm]") {
  if (no_gpu()) return;
  const std::uint32_t at = seed();
  INFO("seed " << at);
  std::mt19937 random(at);
  std::normal_distribution<double> normal;
  for (const std::uint64_t columns : {std::uint64_t{12}, std::uint64_t{2500}}) {
    const synthetic data(300, columns, columns > 100 ? 80 : 2, 0, random);
    for (const std::uint64_t classes : {std::uint64_t{2}, std::uint64_t{5}, std::uint64_t{12}}) {
      const std::uint64_t sums_of_class = classes - 1;
      std::vector<std::uint64_t> starts = {0};
      for (std::uint64_t k = 1; k <= classes; ++k) starts.push_back(data.rows * k / classes);
      std::vector<double> weights(sums_of_class * data.rows);
      for (double& weight : weights) weight = normal(random);
      gpu_decisions decide(data.view(true), {.gamma = 0.05}, starts, weights, sums_of_class, 0);
      std::vector<double> sums(data.rows * classes * sums_of_class, -7e7);
      decide.compute(data.view(true), sums.data());
      double worst = 0;
      for (std::uint64_t r = 0; r < data.rows; r += 29) {
        for (std::uint64_t k = 0; k < classes; ++k) {
          std::vector<double> expected(sums_of_class);
          for (std::uint64_t v = starts[k]; v < starts[k + 1]; ++v) {
            double distance = 0;
            for (std::uint64_t c = 0; c < columns; ++c) {
              const double d = static_cast<double>(data.dense[r * columns + c]) -
                               static_cast<double>(data.dense[v * columns + c]);
              distance += d * d;
            }
            for (std::uint64_t w = 0; w < sums_of_class; ++w)
              expected[w] += weights[w * data.rows + v] * std::exp(-0.05 * distance);
          }
          for (std::uint64_t w = 0; w < sums_of_class; ++w)
            worst = std::max(worst, std::abs(expected[w] - sums[(r * classes + k) * sums_of_class + w]));
        }
      }
      INFO(columns << " columns, " << classes << " classes");
      CHECK(worst < 1e-4);
    }
  }
}

TEST_CASE("svm: the calls train and classify on a GPU as on the CPU", "[gpu][svm]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const synthetic data(400, 12, 2, 0, random);
  std::vector<double> labels;
  for (std::size_t i = 0; i < data.labels.size(); ++i) labels.push_back(i % 3 == 0 ? 7 : data.labels[i]);
  svm_options options{.gamma = 0.1, .c = 5};
  options.run.device = device_choice::cpu;
  const svm_training expected = svmtrain(data.view(true), labels, options);
  options.run.device = device_choice::gpu;
  const svm_training found = svmtrain(data.view(true), labels, options);
  REQUIRE(found.pairs.size() == 3);
  for (std::size_t pair = 0; pair < 3; ++pair)
    CHECK(found.pairs[pair].objective == Approx(expected.pairs[pair].objective).epsilon(1e-3));
  options.run.device = device_choice::cpu_gpu;
  CHECK(svmtrain(data.view(true), labels, options).pairs[1].objective ==
        Approx(expected.pairs[1].objective).epsilon(1e-3));
  for (const auto& [sparse, device] :
       {std::pair(false, device_choice::gpu), std::pair(true, device_choice::gpu),
        std::pair(true, device_choice::cpu_gpu)}) {
    const svm_answer on_cpu = svmclassify(expected.model, data.view(sparse), {.device = device_choice::cpu});
    svm_classifier classifier(expected.model, {.device = device});
    for (int part = 0; part < 2; ++part) {
      const svm_answer answer = classifier.classify(data.view(sparse));
      double worst = 0;
      for (std::size_t i = 0; i < answer.values.size(); ++i)
        worst = std::max(worst, std::abs(answer.values[i] - on_cpu.values[i]));
      CHECK(worst < 1e-4);
    }
  }
}

#endif

}  // namespace
}  // namespace duomap::test::numeric_svm_gpu_test
