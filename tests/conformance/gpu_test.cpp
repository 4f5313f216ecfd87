// Tests that the GPU backend keeps the contract for the kinds of task that its engines run.
#include "gpu/device/device.hpp"
#include "gpu/options.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/backend_life.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"
#include "tests/support/no_gpu.hpp"

#if DUOMAP_HAS_CUDA

namespace duomap::test::conformance_gpu_test {
namespace {

constexpr auto gpu_backends = []<class Task>(const Task& task,
                                             worker_pool&) -> std::unique_ptr<backend<Task>> {
  return std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, {}).front());
};

TEST_CASE("GPU backend: word counts", "[gpu]") {
  if (!no_gpu()) check_word_counts(gpu_backends);
}

TEST_CASE("GPU backend: texts around the product's grains and blocks", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  check_answers(word_counts{.lower_case = true}, large_texts(random), gpu_backends, product_shapes);
}

TEST_CASE("GPU backend: keys of any length", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(reversed_endings{}, texts, gpu_backends);
  check_answers(line_heads{}, texts, gpu_backends);
  check_answers(cells_and_lines{}, texts, gpu_backends);
  check_answers(nul_keys{}, boundary_ranges(), gpu_backends);
}

TEST_CASE("GPU backend: keys of fixed size", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(word_heads<1>{}, texts, gpu_backends);
  check_answers(word_heads<15>{}, texts, gpu_backends);
  check_answers(word_heads<65>{}, texts, gpu_backends);
  check_answers(field_sums{}, texts, gpu_backends);
  check_answers(number_parity{}, boundary_rows<std::uint64_t>(random, 2, 24), gpu_backends);
}

TEST_CASE("GPU backend: values of every way to update them", "[gpu]") {
  if (no_gpu()) return;
  auto random = seeded();
  const auto texts = boundary_texts(random);
  check_answers(mixed_words<sum<std::uint32_t>>{}, texts, gpu_backends);
  check_answers(mixed_words<sum<std::int64_t>>{}, texts, gpu_backends);
  check_answers(mixed_words<minimum<std::int32_t>>{}, texts, gpu_backends);
  check_answers(best_words{}, texts, gpu_backends);
}

TEST_CASE("GPU backend: without a chunk", "[gpu]") {
  if (no_gpu()) return;
  const pool_set workers({2, 1});
  auto idle = gpu_backends(word_counts{}, workers.pool());
  CHECK(idle->release_partials(workers.pool()).empty());
  check_answers(word_counts{}, {{"one chunk", {"one chunk"}}}, gpu_backends, product_shapes);
}

TEST_CASE(
    "GPU backend: an engine that cannot run the task is an error, and the report names the one that did",
    "[gpu]") {
  CHECK_THROWS_AS(gpu::make_backends(word_counts{}, {0}, {.engine = engine_kind::dense}), usage_error);
  if (no_gpu()) return;
  run_report report;
  const pool_set workers({1});
  const auto counted =
      scheduler::run(word_counts{}, text_input("a word"), workers.backends(word_counts{}, gpu_backends),
                     workers.pool(), nullptr, report);
  CHECK(counted.size() == 2);
  REQUIRE(!report.notes.empty());
  CHECK_THAT(report.notes[0], contains("gpu 0") && contains("): hash engine, because values of a "
                                                            "key may be reduced in any order"));
}

TEST_CASE("GPU backend: report and progress", "[gpu]") {
  if (!no_gpu()) check_report(gpu_backends);
}

}  // namespace
}  // namespace duomap::test::conformance_gpu_test

#endif
