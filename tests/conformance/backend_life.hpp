// The contract of every backend in special cases: no chunks, failing maps, cancelled runs, reports.
#pragma once

#include "core/backend.hpp"
#include "core/error.hpp"
#include "core/partial/all.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::test {

/// A backend without chunks gives an empty partial, both alone and beside a backend with all chunks.
template <class Make>
void check_backend_without_chunks(const Make& make) {
  const pool_set workers({2, 1});
  const auto check_empty = [&](const auto& task) {
    using task_type = std::decay_t<decltype(task)>;
    auto idle = make(task, workers.pool());
    std::vector<partial_for<task_type>> partials = idle->release_partials(workers.pool());
    if (partials.empty()) partials.push_back(empty_partial(task));
    const auto result =
        make_result(task, merge_partials(std::move(partials), task, workers.pool()), workers.pool());
    CHECK(difference(answer_of<task_type>(result), expected_answer(task, sample{"nothing", {""}})) == "");
  };
  check_empty(word_counts{});
  check_empty(byte_histogram{});
  check_empty(extremes{});
  check_empty(lines_by_head{});
  check_empty(largest_rows{});
  check_empty(word_chains{});
  // Two backends share one chunk, so one backend gets none.
  check_answers(word_counts{}, {{"one chunk", {"one chunk"}}}, make, product_shapes);
}

/// Throws at words that begin with '9'.
struct failing_words : word_counts {
  DUOMAP_HD void map(byte_view word, auto& emit) const {
#if !defined(__CUDA_ARCH__)
    if (word[0] == '9') throw std::runtime_error("map failed at " + std::string(word.text()));
#endif
    emit(word, 1);
  }
};

/// An exception of map reaches the caller from any place of the input, and no thread hangs.
template <class Make>
void check_exceptions(const Make& make) {
  auto random = seeded();
  for (const auto& workers : pool_shapes) {
    const pool_set all(workers);
    for (const run_shape& shape : small_shapes) {
      sample one{"failing", {random_words(random, 3000, 90), random_words(random, 2000, 90), ""}};
      for (std::string& part : one.parts) std::replace(part.begin(), part.end(), '9', '8');
      std::string& part = one.parts[random() % one.parts.size()];
      part.insert(part.empty() ? 0 : random() % part.size(), " 9th ");
      INFO(workers.size() << " backends, the first with " << workers.front() << " workers; " << shape);
      const input from = make_input(one, shape.form);
      CHECK_THROWS_WITH(run_shaped(failing_words{}, from, all, make, shape), contains("map failed at 9th"));
    }
  }
}

/// A dense key out of range is an error of the task, and must not write outside the table.
template <class Make>
void check_dense_key_range(const Make& make) {
  const pool_set workers({2});
  const auto run_with = [&](std::uint64_t indices) {
    return run_shaped(overflowing_keys{}, index_input(indices), workers, make, run_shape{.grain = 1});
  };
  CHECK_NOTHROW(run_with(10));
  CHECK_THROWS_AS(run_with(11), map_failed);
}

/// Cancels the run at the first word that is mapped, while most of the input is left.
struct cancelling_words : word_counts {
  run_control* control = nullptr;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
#if !defined(__CUDA_ARCH__)
    control->cancelled.store(true, std::memory_order_relaxed);
#endif
    emit(word, 1);
  }
};

/// A run that is cancelled before or during its work ends with `interrupted`.
template <class Make>
void check_cancellation(const Make& make) {
  auto random = seeded();
  for (const auto& workers : pool_shapes) {
    const pool_set all(workers);
    for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
      INFO(workers.size() << " backends, the first with " << workers.front() << " workers");
      const run_shape shape{.grain = 16, .block_bytes = 16, .most_grains = 1, .form = form};
      const sample one{"cancelled", {random_words(random, 8000, 90), random_words(random, 8000, 90)}};
      const input from = make_input(one, form);
      run_control during;
      CHECK_THROWS_AS(run_shaped(cancelling_words{{}, &during}, from, all, make, shape, &during),
                      interrupted);
      run_control before;
      before.cancelled = true;
      CHECK_THROWS_AS(run_shaped(word_counts{}, from, all, make, shape, &before), interrupted);
    }
  }
}

/// Both the report and the progress count every unit once.
template <class Make>
void check_report(const Make& make) {
  auto random = seeded();
  const sample one{"reported", {random_words(random, 100'000, 90), "", random_words(random, 3000, 90)}};
  for (const auto& workers : pool_shapes) {
    const pool_set all(workers);
    for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
      run_control control;
      run_report report;
      const auto result = scheduler::run(word_counts{}, make_input(one, form),
                                         all.backends(word_counts{}, make), all.pool(), &control, report);
      CHECK(difference(answer_of<word_counts>(result), expected_answer(word_counts{}, one)) == "");
      CHECK(report.units == 103'000);
      CHECK(report.sources == 3);
      CHECK(report.results == result.size());
      CHECK(control.units_done == 103'000);
      CHECK(control.units_total == (form == layout::addressable ? 103'000 : 0));
      CHECK(report.executors.size() == workers.size());
      std::uint64_t units = 0;
      for (const executor_report& executor : report.executors) units += executor.units;
      CHECK(units == report.units);
    }
  }
}

}  // namespace duomap::test
